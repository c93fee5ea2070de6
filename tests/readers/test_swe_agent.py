import pytest

from headway.core import events
from tests.readers.samples_read import counts, of, only, raw, spent, taken


@pytest.mark.parametrize("name", ["swe-agent/function-calling.traj", "swe-agent/text.traj"])
def test_every_step_is_a_command_with_its_observation(name):
    steps = raw(name)["trajectory"]
    stream = taken(name)

    assert [step["action"].strip() for step in steps] == [e.args["command"] for e in only(stream, events.ToolCalled)]
    assert [step["observation"] for step in steps] == [e.output for e in only(stream, events.ToolReturned)]
    assert [step["thought"] for step in steps] == [e.text for e in only(stream, events.AgentSpoke)]


def test_the_issue_is_the_only_word_of_the_user_and_demonstrations_are_left_out():
    history = raw("swe-agent/text.traj")["history"]
    assert any(message.get("is_demo") for message in history)
    (issue,) = only(taken("swe-agent/text.traj"), events.UserSpoke)
    assert issue.text.startswith("We're currently solving the following issue")


def test_what_the_run_tells_about_itself():
    first, *_, last = taken("swe-agent/function-calling.traj")
    assert ("swe-agent", "/testbed", "gpt-4o") == (first.program, first.root, first.model)
    assert "submitted" == last.outcome


def test_the_whole_cost_is_told_once():
    stats = raw("swe-agent/text.traj")["info"]["model_stats"]
    expected = (stats["tokens_sent"], stats["tokens_received"], round(stats["instance_cost"], 6))
    assert expected == spent(taken("swe-agent/text.traj"))


def test_a_history_alone_is_read_as_messages():
    history = raw("swe-agent/history-only.traj")["history"]
    calls = [call for message in history for call in message.get("tool_calls") or ()]
    results = [message for message in history if message["role"] == "tool"]
    stream = taken("swe-agent/history-only.traj")

    assert (len(calls), len(results)) == counts(stream)[:2] == (5, 5)
    assert [call["id"] for call in calls] == [event.call for event in only(stream, events.ToolReturned)]


def test_a_step_that_cannot_be_read_is_skipped_and_a_step_without_an_action_is_no_call():
    good = {"action": "ls", "observation": "a.py", "state": {}, "thought": "look"}
    stream, source = of({"trajectory": [good, {**good, "action": 7}, 3, {**good, "action": ""}, good]}, "swe-agent")
    assert (2, 2, 0, 3) == counts(stream)
    assert 2 == source.skipped
