"""A new user: install, see the nudge, look at it, uninstall; the settings are as they were."""

import json

import pytest

from tests.e2e.agents import chosen
from tests.e2e.models import Say
from tests.e2e.place import Place

pytestmark = pytest.mark.e2e

SETTINGS = {
    "claude-code": (".claude/settings.json", '{\r\n\t"model": "opus",\r\n\t"hooks": {"Stop": []}\r\n}'),
    "codex": (".codex/hooks.json", '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}'),
    "gemini": (".gemini/settings.json", None),
    "qwen": (".qwen/settings.json", None),
    "copilot": (".copilot/hooks/mine.json", '{"version": 1, "hooks": {}}\n'),
    "opencode": (".config/opencode/opencode.json", None),
    "kilo": (".config/kilo/kilo.json", None),
    "pi": (".pi/agent/settings.json", '{"quietStartup": true}\n'),
    "cline": (
        ".cline/plugins/mine.js",
        'export default { name: "mine", manifest: { capabilities: ["hooks"] }, hooks: { afterRun() {} } }\n',
    ),
    "openhands": (".openhands/hooks.json", '{"stop": [{"hooks": [{"type": "command", "command": "true"}]}]}'),
}
"""Where each user's settings are, and what they are if the agent needs none to run."""


def agents_own_settings(place, agent):
    """The files in the folder of the agent's settings that are settings and not what it remembers."""
    folder = (place.home / SETTINGS[agent.name][0]).parent
    names = ("settings.json", "hooks.json", "headway", "mine.js", "opencode.json", "kilo.json")
    return {
        str(file): file.read_bytes() for file in folder.rglob("*") if file.name.startswith(names) and file.is_file()
    }


@pytest.mark.parametrize("agent", chosen(), ids=lambda agent: agent.name)
def test_install_see_the_nudge_uninstall(agent, tmp_path):
    look = [agent.shell("cat notes.txt")]
    look_on = [look] * (agent.name == "openhands")  # it is told in place of the next call
    with agent.model([Say("Hello.")], look, look, look, *look_on, [Say("I see.")]) as model:
        place = Place(tmp_path, model.url)
        agent.prepare(place)
        name, content = SETTINGS[agent.name]
        if content is not None:
            place.write(name, content)
        (place.project / "notes.txt").write_text("nothing new here\n")
        place.run(*agent.command())  # some agents rewrite their settings when they first see them
        before = agents_own_settings(place, agent)

        assert "+" in place.run("headway", "install", agent.name, "--dry-run").stdout
        assert before == agents_own_settings(place, agent)
        assert 0 == place.run("headway", "install", agent.name).exit_code
        assert before != agents_own_settings(place, agent)
        checked = place.run("headway", "doctor", agent.name)
        assert "reported an invented loop" in checked.stdout
        assert (agent.name == "codex") == ("not trusted yet" in checked.stdout) == bool(checked.exit_code)
        place.run(*agent.command())

    assert "3 times in a row" in model.asked[-1]
    (session,) = json.loads(place.run("headway", "status", "--format", "json").stdout)["sessions"]
    assert (agent.name, 3, "nudge") == (session["host"], session["steps"], session["verdict"])
    assert 0 == place.run("headway", "uninstall", agent.name).exit_code
    assert before == agents_own_settings(place, agent)
