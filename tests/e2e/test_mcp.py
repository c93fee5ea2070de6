"""Claude Code and Codex for real: an agent asks `headway mcp` about its own session, and is watched by the proxy."""

import sys
from pathlib import Path

import pytest

from tests.e2e.agents import chosen
from tests.e2e.models import Call, Say
from tests.e2e.place import Place

pytestmark = pytest.mark.e2e
both = pytest.mark.parametrize("agent", chosen("claude-code", "codex"), ids=lambda agent: agent.name)

NOTES = "there is nothing new here"
SERVER = Path(__file__).parent.parent / "hosts" / "mcp" / "counting_server.py"


def run_of(agent, folder, turns, prepare):
    """What the model was sent, without the first request: Codex starts servers in the background, so it waits."""
    with agent.model([agent.shell("sleep 6")], *turns, [Say("done")]) as model:
        place = Place(folder, model.url)
        agent.prepare(place)
        (place.project / "notes.txt").write_text(f"{NOTES}\n")
        prepare(place)
        more = ["--allowedTools", "Bash,mcp__headway,mcp__counting"] if agent.name == "claude-code" else []
        ran = place.run(*agent.command(), *more)
    assert 0 == ran.exit_code and [] == ran.left_running, ran.stderr + ran.stdout
    return [str(request) for request in model.asked[1:]]


@both
def test_an_agent_asks_about_its_own_session(agent, tmp_path):
    def install(place):
        installed = place.run("headway", "install", agent.name, "--mcp")
        assert 0 == installed.exit_code, installed.stderr

    look = [agent.shell("cat notes.txt")]
    questions = [[Call("mcp__headway__am_i_stuck")], [Call("mcp__headway__what_have_i_tried")],
                 [Call("mcp__headway__what_changed_since", since="0")]]  # fmt: skip
    asked = run_of(agent, tmp_path, [look, look, look, *questions], install)
    assert "1 finding is open:" in asked[4] and "The command `cat notes.txt` gave the same result 3 times" in asked[4]
    assert f"of {agent.name} in {tmp_path / 'project'}, first prompt “please look into it”" in asked[4]
    assert "Commands and edits that are stored: 1; different ones: 1." in asked[5] and "Not listed: read 3." in asked[5]
    assert "After step 0: no edits without a failure." in asked[6]


@both
def test_the_proxy_tells_and_refuses_the_calls_of_a_real_program(agent, tmp_path):
    command, arguments = "headway", ["mcp-proxy", "--", sys.executable, str(SERVER)]

    def add_server(place):
        if agent.name == "claude-code":
            place.write(".claude.json", {"mcpServers": {"counting": {"command": command, "args": arguments}}})
        else:
            config = place.home / ".codex" / "config.toml"
            table = f'[mcp_servers.counting]\ncommand = "{command}"\nargs = {arguments!r}\n'
            config.write_text(f"{config.read_text()}\n{table}")

    look = [Call("mcp__counting__look", path="a")]
    asked = run_of(agent, tmp_path, [look] * 5, add_server)
    assert 0 == asked[2].count("[headway]") and 1 == asked[3].count("[headway]")
    assert "This call was not run." in asked[4] and 3 == asked[5].count("nothing new in a")
