"""The plugin folder, in the real Claude Code."""

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


@claude_code
def test_a_session_with_the_plugin_is_watched(agent, tmp_path):
    look = [agent.shell("cat notes.txt")]
    with agent.model(look, look, look, [Say("I see.")]) as model:
        place = Place(tmp_path, model.url)
        agent.prepare(place)
        (place.project / "notes.txt").write_text("nothing new here\n")
        ran = place.run(*agent.command(), "--plugin-dir", PLUGIN)

    assert 0 == ran.exit_code, ran.stderr
    assert [False, False, False, True] == ["3 times in a row" in request for request in model.asked]
