import copy

from headway.core import events
from headway.readers import read, recordings_in
from tests.readers.samples_read import SAMPLES, counts, lines, of, only, raw, spent, taken

TWO = "atif/two-agents.json"


def test_harbors_own_conversion_of_a_run_has_the_same_calls_and_results():
    """The same run, once in SWE-agent's format and once as Harbor converted it."""
    original, converted = taken("swe-agent/text.traj"), taken("atif/from-swe-agent.json")
    commands = [event.args["command"] for event in only(original, events.ToolCalled)]
    assert commands == [event.args["raw_action"].strip() for event in only(converted, events.ToolCalled)]
    outputs = [event.output for event in only(original, events.ToolReturned)]
    assert outputs == [event.output for event in only(converted, events.ToolReturned)]


def test_calls_results_words_and_metrics_of_the_main_agent():
    steps = [step for step in raw(TWO)["steps"] if not step.get("is_copied_context")]
    calls = [call["tool_call_id"] for step in steps for call in step.get("tool_calls", ())]
    results = [result for step in steps for result in step.get("observation", {}).get("results", ())]
    metrics = [step["metrics"] for step in steps if "metrics" in step]
    stream = [event for event in taken(TWO) if event.agent == ""]

    assert calls == [event.call for event in only(stream, events.ToolCalled)]
    assert (len(calls), len(results), 1, 3) == counts(stream) == (4, 3, 1, 3)
    assert (sum(m["prompt_tokens"] for m in metrics), sum(m["completion_tokens"] for m in metrics), 0.03) == spent(
        stream
    )
    assert {"session-1"} == {event.run for event in stream}
    assert ("some-agent", "some-model") == (stream[0].program, stream[0].model)


def test_a_failure_noted_beside_a_result_is_taken_up():
    results = {event.call: event for event in only(taken(TWO), events.ToolReturned)}
    assert True is results["c1"].failed
    assert None is results["c2"].failed
    assert "It is in add." == results["c2"].output


def test_one_screen_for_several_calls_is_the_result_of_the_last():
    results = {event.call: event.output for event in only(taken(TWO), events.ToolReturned)}
    assert "c3" not in results
    assert results["c4"].endswith("x = 1")


def test_embedded_trajectories_are_sub_agents():
    stream = [event for event in taken(TWO) if event.agent == "helper-1"]
    assert (1, 1, 1, 0) == counts(stream)
    assert {"session-1"} == {event.run for event in stream}


def test_several_trajectories_line_by_line_and_broken_ones_counted():
    one = raw("atif/from-swe-agent.json")
    other = copy.deepcopy(one)
    other["session_id"] = "other"
    stream, source = of(lines(one, other, {"schema_version": "ATIF-v1.8", "steps": 7}, {**one, "steps": [1, 2]}))
    assert {one["session_id"], "other"} == {event.run for event in stream}
    assert 10 == counts(stream)[0]
    assert 3 == source.skipped


def test_a_trial_is_read_once():
    """Its folder holds the agent's own session, too."""
    sources = list(recordings_in(SAMPLES / "atif" / "fix-add__x1"))
    assert ["fix-add__x1"] == [source.path.name for source in sources]
    stream = list(read(sources[0]))
    assert {"fix-add__x1"} == {event.run for event in stream}
    assert "reward 1.0" == stream[-1].outcome


def test_sums_count_where_no_step_tells_them():
    assert (300, 60, 0.0018) == spent(taken("atif/fix-add__x1"))
    assert (410, 35, 0.03) == spent(taken("atif/two-agents.json"))
