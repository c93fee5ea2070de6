"""`headway loop` with real programs: started in their ready form, watched through their own transcripts."""

import json

import pytest

from tests.e2e.agents import chosen
from tests.e2e.models import Say
from tests.e2e.place import Place
from tests.loop.projects import project, suite, users_git

pytestmark = pytest.mark.e2e
TASK = "make the tests pass"
TELL_THEIR_COST = ("claude-code",)
FIX = "sed -i s/bad/ok/ tests.txt"


def looped(agent, folder, *turns, options=(), rounds=3):
    """A loop around an agent whose program is named and nothing else; the scripted model, the result, the project."""
    with agent.model(*turns) as model:
        place = Place(folder, model.url)
        agent.prepare(place)
        place.project.rmdir()
        project(place.project)
        before = users_git(place.project)
        named = place.folder / "bin" / agent.loop_name
        named.parent.mkdir()
        named.symlink_to(agent.program()[0])
        ran = place.run(
            "headway", "loop", "--id", "it", "--task", TASK, "--test", "sh check.sh", "--format", "json",
            "--max-rounds", rounds, *options, "--", named, *agent.loop_options,
        )  # fmt: skip
    assert [] == ran.left_running
    assert ran.stdout.startswith("{"), ran.stderr
    assert before == users_git(place.project)
    return model, ran, json.loads(ran.stdout), place.project


def facts(folder, kind):
    lines = (folder / ".headway/loops/it/journal.jsonl").read_text().splitlines()
    return [fact for fact in map(json.loads, lines) if fact["fact"] == kind]


@pytest.fixture
def agent(request):
    """An agent that has a ready form, with what lets it run shell commands without asking."""
    agent = request.param
    agent.loop_name, agent.loop_options = {
        "claude-code": ("claude", ["--allowedTools", "Bash"]),
        "codex": ("codex", ["-s", "danger-full-access"]),
        "gemini": ("gemini", ["--yolo"]),
    }[agent.name]
    return agent


def each(*names):
    return pytest.mark.parametrize("agent", chosen(*names), ids=lambda agent: agent.name, indirect=True)


@each("claude-code", "codex", "gemini")
def test_a_real_agent_works_in_rounds_until_the_tests_confirm_it(agent, tmp_path):
    """Round 1 claims too early and deletes a test, which is rolled back; round 2 repairs the tests."""
    model, ran, result, folder = looped(
        agent, tmp_path,
        [agent.shell("sed -i /t1/d tests.txt")], [Say("All good. <promise>COMPLETE</promise>")],
        [agent.shell(FIX)], [Say("Now it is. <promise>COMPLETE</promise>")],
    )  # fmt: skip
    assert (0, "complete", 2) == (ran.exit_code, result["ending"]["reason"], result["selected"]), ran.stderr
    assert ["t1 ok", "t2 ok", "t3 ok", "t4 ok"] == suite(folder)
    assert "Round 1 was rolled back" in model.asked[2] and TASK in model.asked[2]
    assert [True, True] == [fact["claimed"] for fact in facts(folder, "agent_ended")]
    assert (agent.name in TELL_THEIR_COST) == (result["cost_usd"] is not None)


@each("claude-code", "codex")
def test_a_real_agent_that_goes_in_circles_does_not_burn_the_round(agent, tmp_path):
    """Its transcript tells of the loop while it runs, and the next round is told why."""
    look = [agent.shell("cat tests.txt; sleep 0.3")]
    model, ran, _, folder = looped(agent, tmp_path, *[look] * 60, rounds=1)
    (ended,) = facts(folder, "agent_ended")
    assert "exact_cycle" == ended["cut"], ran.stderr
    assert len(model.asked) < 40
