"""What only Gemini CLI does: failed tools drop what a hook adds, sub-agents have no id, and asking needs a terminal."""

import json

import pytest

from tests.e2e.agents import chosen
from tests.e2e.models import Call, Say
from tests.e2e.test_live import watched

pytestmark = pytest.mark.e2e
gemini = pytest.mark.parametrize("agent", chosen("gemini"), ids=lambda agent: agent.name)

MISSING = Call("read_file", file_path="missing.txt")


def last_results(request):
    """What the tools gave in the last message of a request."""
    found = [
        part["functionResponse"]["response"] for part in request["contents"][-1]["parts"] if "functionResponse" in part
    ]
    return json.dumps(found)


def refused(model):
    return [number for number, request in enumerate(model.conversation) if "Headway refused" in last_results(request)]


@gemini
def test_after_a_tool_that_failed_the_error_and_the_nudge_are_both_told(agent, tmp_path):
    model, ran, _ = watched(agent, tmp_path, [MISSING], [MISSING], [MISSING], [MISSING], [Say("I see.")])

    assert 0 == ran.exit_code
    assert all("File not found" in last_results(request) for request in model.conversation[1:4])
    assert "3 times" in last_results(model.conversation[3]) and "3 times" not in last_results(model.conversation[2])
    assert [4] == refused(model), "nobody is refused before being told"


@gemini
def test_the_person_sees_what_the_model_is_told(agent, tmp_path):
    look = [agent.shell("cat notes.txt")]
    _, ran, _ = watched(agent, tmp_path, look, look, look, look, [Say("I see.")])

    assert "Headway: " in ran.stderr and "Headway refused this call" in ran.stderr


@gemini
def test_where_a_person_should_look_the_run_ends(agent, tmp_path):
    def attended(place):
        (place.project / "headway.toml").write_text("[policy]\nattended = true\n")

    look = [agent.shell("cat notes.txt")]
    model, ran, _ = watched(agent, tmp_path, *[look] * 12, [Say("I give up.")], meanwhile=attended)

    assert 0 == ran.exit_code and "I give up." not in ran.stdout
    assert 6 <= len(model.asked) <= 7, "told after three, refused, then ended"


def delegated(*turns):
    """Turns of a sub-agent between the main agent's call of it and what follows."""
    begin = [Call("invoke_agent", agent_name="generalist", prompt="look at the notes")]
    return [begin, *turns, [Call("complete_task", result={"response": "looked"})]]


@gemini
def test_a_sub_agent_has_a_memory_of_its_own(agent, tmp_path):
    """Two looks of the main agent and two of each sub-agent are no six looks of one agent."""
    look = [agent.shell("cat notes.txt")]
    work = [look, look, *delegated(look, look), *delegated(look, look), [Say("All the same.")]]
    model, ran, place = watched(agent, tmp_path, *work)

    assert 0 == ran.exit_code and "All the same." in ran.stdout
    assert "Headway" not in json.dumps([model.messages(request) for request in model.conversation])
    sessions = json.loads(place.run("headway", "status", "--format", "json").stdout)["sessions"]
    assert {4} == {one["steps"] for one in sessions if not one["agent"]}, "two looks and two calls of a sub-agent"
    assert [2, 2] == [one["steps"] for one in sessions if one["agent"]], "two looks each"


@gemini
def test_a_loop_in_a_sub_agent_is_told_there_and_does_not_bind_the_main_agent(agent, tmp_path):
    look = [agent.shell("cat notes.txt")]
    model, ran, _ = watched(agent, tmp_path, *delegated(look, look, look, look), look, [Say("I see.")])

    told = [number for number, request in enumerate(model.conversation) if "3 times" in last_results(request)]
    assert (4, [5]) == (told[0], refused(model))
    assert "there is nothing new here" in last_results(model.conversation[7]), "the main agent may look"
    assert 0 == ran.exit_code and "I see." in ran.stdout


@gemini
def test_a_sub_agent_that_is_stopped_may_still_report_and_the_main_agent_goes_on(agent, tmp_path):
    look = [agent.shell("cat notes.txt")]
    model, ran, _ = watched(agent, tmp_path, *delegated(*[look] * 8), look, [Say("I see.")])

    assert "Headway stopped" in last_results(model.conversation[9])
    assert "Termination Reason: GOAL" in last_results(model.conversation[10])
    assert "there is nothing new here" in last_results(model.conversation[11])
    assert 0 == ran.exit_code and "I see." in ran.stdout
