"""Headway in the real programs: a loop is told, a stubborn one is ended, and honest work is left alone."""

import json
import re

import pytest

from tests.e2e.agents import chosen
from tests.e2e.models import Call, Say
from tests.e2e.place import Place

pytestmark = pytest.mark.e2e
every_agent = pytest.mark.parametrize("agent", chosen(), ids=lambda agent: agent.name)

TOLD = "gave the same result 3 times in a row"
NOTES = "there is nothing new here"
HEADWAYS_WORDS = ("Headway: ", "Headway refused", "Headway stopped", "Headway asks")
"""How everything begins that Headway says; its name alone may be part of a path."""


def watched(agent, folder, *turns, install=(), mode="enforce", hook=True, meanwhile=None):
    """Run an agent with Headway installed as its user would; the scripted model, and what came of it."""
    with agent.model(*turns) as model:
        place = Place(folder, model.url)
        agent.prepare(place)
        for name in ("notes", "plan"):
            (place.project / f"{name}.txt").write_text(f"{NOTES}: {name}\n")
        installed = [place.run("headway", "install", agent.name, "--mode", mode, *install)] if hook else []
        assert [] == [one.stderr for one in installed if one.exit_code]
        if meanwhile is not None:
            meanwhile(place)
        ran = place.run(*agent.command())
    assert [] == ran.left_running
    assert not list(place.home.rglob("faults.log"))
    return model, ran, place


def results(request):
    """How often a file has really been read, as far as this request tells."""
    return request.count(NOTES)


NOT_CHOSEN = pytest.param(None, marks=pytest.mark.skip(reason="OpenHands is not among AGENTS"))


@pytest.mark.parametrize("agent", [one for one in chosen() if one.name != "openhands"], ids=lambda agent: agent.name)
def test_a_loop_is_told_in_the_next_request(agent, tmp_path):
    look = [agent.shell("cat notes.txt")]
    model, ran, _ = watched(agent, tmp_path, look, look, look, [Say("I see.")])

    assert [False, False, False, True] == [TOLD in request for request in model.asked]
    assert 3 == results(model.asked[3])
    assert 0 == ran.exit_code and "I see." in ran.stdout


@pytest.mark.parametrize("agent", chosen("openhands") or [NOT_CHOSEN])
def test_openhands_is_told_in_place_of_its_next_call_and_may_finish(agent, tmp_path):
    look, other = [agent.shell("cat notes.txt")], [agent.shell("cat plan.txt")]
    finish = [Call("finish", message="I see.")]
    model, ran, _ = watched(agent, tmp_path, look, look, look, other, other, finish)

    assert [False, False, False, False, True, True] == [TOLD in request for request in model.asked]
    assert [3, 3, 4] == [results(request) for request in model.asked[3:]]
    assert 0 == ran.exit_code and "I see." in ran.stdout


ENDS = {"claude-code": 0, "gemini": 0, "opencode": 1, "kilo": 1, "pi": 0}
"""Hosts that let a hook end the run, and the exit code they end with. The others are refused every further call."""


# Cline ends a run by itself at the third call in a row that is refused.
@pytest.mark.parametrize("agent", [one for one in chosen() if one.name != "cline"], ids=lambda agent: agent.name)
def test_a_stubborn_loop_is_ended_or_refused(agent, tmp_path):
    """Two files in turn, because some agents look out for a single call that repeats by themselves."""
    looks = [[agent.shell(f"cat {name}.txt")] for name in ["notes", "plan"] * 8]
    model, ran, _ = watched(agent, tmp_path, *looks, [Say("I give up.")])
    last = model.asked[-1]

    assert 6 == results(last), "nothing ran again after three rounds"
    assert 4 == last.count("Headway refused this call"), "each of the two calls twice"
    ends = agent.name in ENDS
    assert (12 if ends else 17) == len(model.asked), "one call is refused with the request to report"
    assert ran.exit_code == ENDS.get(agent.name, ran.exit_code)
    assert not ends or "I give up." not in ran.stdout
    assert (1 if ends else 6) == last.count("Headway stopped this run until the user sends a message")


@pytest.mark.parametrize("agent", chosen("claude-code", "codex"), ids=lambda agent: agent.name)
@pytest.mark.parametrize(("mode", "says"), [("nudge", True), ("observe", False)])
def test_in_the_weaker_modes_a_stubborn_loop_runs_on(agent, mode, says, tmp_path):
    looks = [[agent.shell(f"cat {name}.txt")] for name in ["notes", "plan"] * 8]
    model, ran, place = watched(agent, tmp_path, *looks, [Say("I give up.")], mode=mode)
    last = model.asked[-1]

    assert 16 == results(last) and 17 == len(model.asked) and "I give up." in ran.stdout
    assert says == any(words in last for words in HEADWAYS_WORDS)
    assert ("Headway refused" in last, "Headway stopped" in last) == (False, False)
    status = place.run("headway", "status").stdout
    assert "the mode enforce would have meant 1 stop and 4 refused calls" in status
    assert "look at it: headway show " in status


@pytest.mark.parametrize("agent", chosen("codex"), ids=lambda agent: agent.name)
def test_codex_is_interrupted_where_its_user_has_allowed_it(agent, tmp_path):
    looks = [[agent.shell(f"cat {name}.txt")] for name in ["notes", "plan"] * 8]
    model, ran, _ = watched(agent, tmp_path, *looks, install=["--interrupt"])

    assert 1 == ran.exit_code
    assert 12 <= len(model.asked) <= 13, "the call after the one that was stopped"
    assert 6 == results(model.asked[-1])


def point_to_nowhere(place):
    """Let the settings call a Headway that does not exist."""
    place.call_in_place_of_headway("/gone/bin/headway hook")


@every_agent
def test_an_agent_whose_headway_is_gone_goes_on(agent, tmp_path):
    looks = [[agent.shell(f"cat {name}.txt")] for name in ["notes", "plan"] * 2]
    model, ran, _ = watched(agent, tmp_path, *looks, [Say("I see.")], meanwhile=point_to_nowhere)

    assert 0 == ran.exit_code and "I see." in ran.stdout
    assert 5 == len(model.asked) and 4 == results(model.asked[-1])


ACCIDENTS = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r"|\d{4}-\d\d-\d\d(T[\d:.]+Z?)?|\d\d:\d\d(:\d\d)?( [AP]M)?|\d+\.\d+ seconds|_\d{13}_"
    r"|(?<=PGID: )(\d+|\(none\))|(?<=Chunk ID: )[0-9a-f]{6}"
)
"""Ids, times and numbers of processes."""


def conversation(model, place):
    """What was said in each request, line by line, without what differs between any two runs."""
    said = json.dumps([model.messages(request) for request in model.conversation], ensure_ascii=False, indent=1)
    return ACCIDENTS.sub("…", said.replace(str(place.folder), "…")).splitlines()


@every_agent
def test_honest_work_is_untouched(agent, tmp_path):
    """With and without Headway the model is asked the same and the person is told the same."""
    work = [
        [agent.shell("cat notes.txt")],
        [agent.shell("cat plan.txt")],
        [agent.shell("echo checked >> plan.txt")],
        [agent.shell("cat plan.txt")],
        [Say("Checked the plan.")],
    ]
    model, ran, place = watched(agent, tmp_path / "with", *work)
    plain_model, plain_ran, plain_place = watched(agent, tmp_path / "without", *work, hook=False)

    assert conversation(plain_model, plain_place) == conversation(model, place)
    assert 5 == len(model.asked)
    assert [] == [request for request in model.asked if any(words in request for words in HEADWAYS_WORDS)]
    assert (0, 0) == (plain_ran.exit_code, ran.exit_code)
    assert "Checked the plan." in ran.stdout and "Checked the plan." in plain_ran.stdout
