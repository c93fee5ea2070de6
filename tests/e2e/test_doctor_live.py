"""`headway doctor --live` starts the real programs: it sees the hook called, and it sees that it is not."""

import json
import os

import pytest

from tests.e2e.agents import chosen
from tests.e2e.place import Place
from tests.setup.words import everything

pytestmark = pytest.mark.e2e
AGENTS = [agent for agent in chosen() if agent.name != "openhands"]
every_agent = pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)

CALLED = "was started with a scripted model, and called the hook"
NOT_CALLED = "was started with a scripted model, ran a command, and did not call the hook"


@pytest.fixture
def place(agent, tmp_path):
    """A home with the hook installed, and the program on the PATH under the name by which its user starts it."""
    place = Place(tmp_path)
    assert 0 == place.run("headway", "install", agent.name).exit_code
    program = place.folder / "bin" / {"claude-code": "claude"}.get(agent.name, agent.name)
    program.parent.mkdir()
    words = " ".join(f"'{word}'" for word in agent.program())
    program.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    program.chmod(0o755)
    place.environment["PATH"] = f"{program.parent}{os.pathsep}{place.variables()['PATH']}"
    return place


def live(place, agent):
    ran = place.run("headway", "doctor", agent.name, "--live", "--format", "json", timeout=200)
    assert [] == ran.left_running
    return ran.exit_code, [check["text"] for check in json.loads(ran.stdout)["checks"] if check["about"] == agent.name]


@every_agent
def test_the_hook_is_seen_to_be_called_and_nothing_is_touched(agent, place):
    if agent.name == "codex":
        trust(place)
    before = everything(place.home), everything(place.project)

    code, told = live(place, agent)

    assert any(CALLED in text for text in told), told
    assert 0 == code
    assert before == (everything(place.home), everything(place.project))


def trust(place):
    """As Codex notes that its user trusts all hooks of a file."""
    hooks = place.home / ".codex" / "hooks.json"
    names = {"SessionStart": "session_start", "UserPromptSubmit": "user_prompt_submit", "PreToolUse": "pre_tool_use",
             "PostToolUse": "post_tool_use", "PreCompact": "pre_compact", "Stop": "stop",
             "SubagentStop": "subagent_stop", "SessionEnd": "session_end"}  # fmt: skip
    events = json.loads(hooks.read_text())["hooks"]
    states = [
        f'[hooks.state."{hooks}:{names.get(event, event.lower())}:0:0"]\ntrusted_hash = "sha256:0"\n'
        for event in events
    ]
    (place.home / ".codex" / "config.toml").write_text("\n".join(states))


OFF = {
    "claude-code": (".claude/settings.local.json", {"disableAllHooks": True}),
    "gemini": (".gemini/settings.json", {"hooksConfig": {"disabled": ["headway"]}}),
    "qwen": (".qwen/settings.json", {"disableAllHooks": True}),
}


@pytest.mark.parametrize("agent", chosen(*OFF), ids=lambda agent: agent.name)
def test_hooks_that_the_project_switches_off_are_seen_not_to_be_called(agent, place):
    name, content = OFF[agent.name]
    file = place.project / name
    file.parent.mkdir()
    file.write_text(json.dumps(content))

    code, told = live(place, agent)

    assert 1 == code and any(NOT_CALLED in text for text in told), told
    assert any(str(file) in text for text in told), "and the doctor names the file"


@pytest.mark.parametrize("agent", chosen("codex"), ids=lambda agent: agent.name)
def test_hooks_that_nobody_trusts_are_seen_not_to_be_called(agent, place):
    code, told = live(place, agent)
    assert 1 == code and any(NOT_CALLED in text for text in told), told
