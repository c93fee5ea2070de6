"""The plugin folder, in the real Claude Code."""

import json
import sys
from pathlib import Path

import pytest

from tests.e2e.agents import chosen
from tests.e2e.models import Say
from tests.e2e.place import Place

pytestmark = pytest.mark.e2e
claude_code = pytest.mark.parametrize("agent", chosen("claude-code"), ids=lambda agent: agent.name)

ROOT = Path(__file__).parent.parent.parent
PLUGIN = ROOT / "plugins" / "claude-code"


@claude_code
@pytest.mark.parametrize("what", [["--profile", "directory", PLUGIN], [ROOT]], ids=["plugin", "marketplace"])
def test_claude_code_finds_no_fault_in_it(agent, what, tmp_path):
    ran = Place(tmp_path).run(*agent.program(), "plugin", "validate", *what)
    assert 0 == ran.exit_code, ran.stdout
    assert "✔ Validation passed" in ran.stdout and "warning" not in ran.stdout


def looping(agent, folder, prepare=lambda place: None):
    """A session with the plugin in which the same file is read three times; the model, and what came of it."""
    look = [agent.shell("cat notes.txt")]
    with agent.model(look, look, look, [Say("I see.")]) as model:
        place = Place(folder, model.url)
        agent.prepare(place)
        (place.project / "notes.txt").write_text("nothing new here\n")
        prepare(place)
        ran = place.run(*agent.command(), "--plugin-dir", PLUGIN, "--include-hook-events")
    assert 0 == ran.exit_code and "I see." in ran.stdout, ran.stderr
    return model, ran


def without_headway(place):
    """A PATH with a shell and its tools, and no Headway."""
    bin = place.folder / "bin"
    bin.mkdir()
    place.environment["PATH"] = f"{bin}:/usr/bin:/bin"
    return bin


def with_uvx(place):
    """The same with a uvx that knows one package."""
    uvx = without_headway(place) / "uvx"
    known = '[ "$1 $2 $3 $4" = "--quiet --from headway-agents headway" ] || exit 9'
    uvx.write_text(f'#!/bin/sh\n{known}\nshift 4\nexec {Path(sys.executable).parent / "headway"} "$@"\n')
    uvx.chmod(0o755)


@claude_code
def test_a_session_with_the_plugin_is_watched(agent, tmp_path):
    model, _ = looping(agent, tmp_path)
    assert [False, False, False, True] == ["3 times in a row" in request for request in model.asked]


@claude_code
def test_without_headway_it_says_once_how_to_install_it_and_no_hook_fails(agent, tmp_path):
    _, ran = looping(agent, tmp_path, without_headway)

    events = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
    hooks = [event for event in events if event.get("subtype") == "hook_response"]
    assert 1 == sum("uv tool install headway-agents" in hook["output"] for hook in hooks)
    assert {0} == {hook.get("exit_code", 0) for hook in hooks} and not any(hook["stderr"] for hook in hooks)


@claude_code
def test_without_headway_on_the_path_uvx_brings_it(agent, tmp_path):
    model, _ = looping(agent, tmp_path, with_uvx)
    assert [False, False, False, True] == ["3 times in a row" in request for request in model.asked]


@claude_code
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("status", "1 step"),
        ("allow", "nothing is refused"),
        ("mute exact_cycle --for 1d", "exact_cycle is muted in"),
        ("off", "Headway is off"),
        ("off --undo", "Headway is on again"),
    ],
)
def test_slash_commands_run_headway_and_show_what_it_says(agent, words, told, tmp_path):
    with agent.model([agent.shell("cat notes.txt")], [Say("I see.")], [Say("Here it is.")]) as model:
        place = Place(tmp_path, model.url)
        agent.prepare(place)
        (place.project / "notes.txt").write_text("nothing new here\n")
        place.run(*agent.command(), "--plugin-dir", PLUGIN)
        ran = place.run(*agent.program(), "-p", f"/headway:{words}", "--plugin-dir", PLUGIN)

    assert 0 == ran.exit_code, ran.stderr
    assert told in json.dumps(model.messages(model.conversation[-1]))
