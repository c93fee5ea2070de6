import json

import pytest

from headway.core import events
from tests.readers.samples_read import counts, of, only, raw, spent, taken


def observations(name, kind):
    found = raw(name)
    return [item for item in found.get("data") or found["observations"] if item["type"] == kind]


@pytest.mark.parametrize("name", ["langfuse/observations.json", "langfuse/trace.json"])
def test_calls_results_failures_usage_and_cost(name):
    tools, models = observations(name, "TOOL"), observations(name, "GENERATION")
    inputs = [json.loads(t["input"]) if isinstance(t["input"], str) else t["input"] for t in tools]
    stream = taken(name)

    assert sorted(map(str, inputs)) == sorted(str(event.args) for event in only(stream, events.ToolCalled))
    assert (
        sum(t["level"] == "ERROR" for t in tools)
        == sum(e.failed is True for e in only(stream, events.ToolReturned))
        == 1
    )
    tokens_in = sum(m["usageDetails"]["input"] + m["usageDetails"]["input_cache_read"] for m in models)
    assert (tokens_in, sum(m["usageDetails"]["output"] for m in models), 0.006) == spent(stream)
    assert (3, 3, 1, 2) == counts(stream)


def test_a_failed_tool_without_an_id_is_the_call_with_its_arguments():
    """It began before its sibling, which was asked for first."""
    results = {event.call: event for event in only(taken("langfuse/observations.json"), events.ToolReturned)}
    assert ("cat: missing.txt: No such file or directory", True) == (results["call_b"].output, results["call_b"].failed)
    assert ("out ls", False) == (results["call_a"].output, results["call_a"].failed)


def test_a_run_is_a_session_or_else_a_trace():
    assert {"session-1"} == {event.run for event in taken("langfuse/trace.json")}
    assert {raw("langfuse/trace.json")["id"]} == {event.run for event in taken("langfuse/observations.json")}


def test_what_is_no_observation_is_counted():
    good = {
        "id": "1",
        "traceId": "t",
        "type": "GENERATION",
        "input": "hi",
        "output": "ho",
        "startTime": "2026-05-01T10:00:00Z",
    }
    stream, source = of([good, 7, "x"])
    assert (0, 0, 1, 1) == counts(stream)
    assert 2 == source.skipped


def test_a_tools_message_without_a_result_in_it():
    answer = {"tool_call_id": "c", "content": [{"functionResponse": None}]}
    stream, _ = of([{"id": "1", "traceId": "t", "type": "TOOL", "name": "ls", "input": {"a": 1}, "output": answer}])
    assert [("c", "")] == [(event.call, event.output) for event in only(stream, events.ToolReturned)]
