import json

import pytest

from headway.core import events
from tests.readers.samples_read import counts, lines, of, only, raw, spent, taken


@pytest.mark.parametrize("name", ["langsmith/runs.jsonl", "langsmith/query.json"])
def test_calls_results_failures_and_usage(name):
    runs = raw(name)
    runs = sorted(runs["runs"] if isinstance(runs, dict) else runs, key=lambda run: run["dotted_order"])
    tools = {run["extra"]["tool_call_id"]: run for run in runs if run["run_type"] == "tool"}
    usage = [run["outputs"]["llm_output"]["token_usage"] for run in runs if run["run_type"] == "llm"]
    stream = taken(name)

    assert tools.keys() == {event.call for event in only(stream, events.ToolCalled)}
    assert {call: run["inputs"] for call, run in tools.items()} == {
        e.call: e.args for e in only(stream, events.ToolCalled)
    }
    assert {c for c, run in tools.items() if run.get("error")} == {
        e.call for e in only(stream, events.ToolReturned) if e.failed
    }
    assert (sum(u["prompt_tokens"] for u in usage), sum(u["completion_tokens"] for u in usage), 0) == spent(stream)
    assert (3, 3, 1, 2) == counts(stream)
    assert ({"thread-1"}, "fake-model") == ({event.run for event in stream}, stream[0].model)


def test_calls_of_one_answer_are_a_batch_and_results_follow_their_calls():
    stream = taken("langsmith/runs.jsonl")
    first, second, third = [event.batch for event in only(stream, events.ToolCalled)]
    assert first == second != third
    order = [(type(e).__name__, e.call) for e in only(stream, events.ToolCalled, events.ToolReturned)]
    assert ("ToolCalled", "call_c") == order[-2]


def run(id, kind, **more):
    return {
        "id": id,
        "run_type": kind,
        "trace_id": "t",
        "name": "search",
        "start_time": f"2026-05-01T10:00:0{id}",
        **more,
    }


def test_children_may_be_nested_and_tools_may_answer_with_plain_text():
    tool = run("2", "tool", inputs={"input": "cats"}, outputs={"output": "3 found"})
    stream, _ = of([run("1", "chain", child_runs=[tool, run("3", "tool", inputs={}, error="ValueError('no')")])])
    assert [{"input": "cats"}, {}] == [event.args for event in only(stream, events.ToolCalled)]
    assert [("3 found", None), ("ValueError('no')", True)] == [
        (e.output, e.failed) for e in only(stream, events.ToolReturned)
    ]


def test_a_providers_own_shape_is_read():
    """What `wrap_openai` records."""
    call = {"id": "c", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
    llm = run(
        "1",
        "llm",
        inputs={"messages": [{"role": "user", "content": "go"}]},
        outputs={"choices": [{"message": {"role": "assistant", "content": "ok", "tool_calls": [call]}}]},
        prompt_tokens=10,
        completion_tokens=2,
        total_cost="0.5",
    )
    stream, _ = of([llm])
    assert (1, 0, 1, 1) == counts(stream)
    assert (10, 2, 0.5) == spent(stream)


KINDS = (("1", "llm"), ("2", "tool"))


def test_runs_are_found_in_lists_under_their_name_and_on_lines():
    def called(content):
        stream, source = of(content, "langsmith")
        return [event.call for event in only(stream, events.ToolCalled)], source.skipped

    one, two, three = (run(str(number), "tool", inputs={"n": number}) for number in (1, 2, 3))
    assert (["1", "2"], 1) == called([one, 7, two])
    assert (["1", "2"], 1) == called({"runs": [one, two, "x"]})
    assert (["1", "2", "3"], 2) == called(lines(one, [], 5, {"runs": [two, three]}, "x"))


@pytest.mark.parametrize("odd", [None, 5, "x", [], {}, [5, None, [1]], {"messages": 5}, {"messages": [5, [], {}]}])
def test_something_else_in_any_place_costs_nothing_else(odd):
    for name in ("inputs", "outputs", "extra", "child_runs", "error", "start_time", "trace_id"):
        llm, tool = (run(id, kind, **{"inputs": {"messages": []}, name: odd}) for id, kind in KINDS)
        stream, source = of([llm, tool, run("3", "tool", inputs={"a": 1}, outputs={"output": "fine"})])
        assert ["fine"] == [e.output for e in only(stream, events.ToolReturned) if e.call == "3"]
        assert 0 == source.skipped


def test_a_message_that_cannot_be_decoded_costs_itself():
    """Messages of a history stay JSON until they are needed, also those that are wrong."""
    said = [{"role": "user", "content": f"word {number}"} for number in range(3)]
    content = json.dumps([run("1", "llm", inputs={"messages": said})]).encode().replace(b"word 1", b"word \xff")
    stream, source = of(content, "langsmith")
    assert ["word 0", "word 2"] == [event.text for event in only(stream, events.UserSpoke)]
    assert (1, True) == (source.skipped, source.first_fault.startswith("'utf-8' codec can't decode byte 0xff"))


def test_a_tools_message_without_a_result_in_it():
    answer = {"tool_call_id": "c", "content": [{"functionResponse": None}]}
    stream, _ = of([run("1", "tool", inputs={"a": 1}, outputs={"output": answer})])
    assert [("c", "")] == [(event.call, event.output) for event in only(stream, events.ToolReturned)]
