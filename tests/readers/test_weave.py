import json

import pytest

from headway.core import events
from tests.cost import costs_at_most
from tests.readers.samples_read import counts, lines, of, only, raw, spent, taken

SAMPLE = "weave/calls.jsonl"
START = "2026-11-01T10:00:0"


def call(number, name, parent=None, inputs=None, **more):
    known = {"id": f"c{number}", "op_name": f"weave:///e/p/op/{name}:v1", "trace_id": "t", "parent_id": parent}
    times = {"started_at": f"{START}{number}Z", "ended_at": f"{START}{number}.5Z"}
    return {**known, **times, "attributes": {}, "inputs": inputs or {}, "output": None, "summary": {}, **more}


def kind(name):
    return {"weave": {"kind": name}}


def used(model="gpt-5", tokens_in=10, tokens_out=2, **costs):
    weave = {"costs": {model: costs}} if costs else {}
    return {"usage": {model: {"prompt_tokens": tokens_in, "completion_tokens": tokens_out}}, "weave": weave}


def test_what_was_read_equals_a_count_of_the_sample():
    calls = raw(SAMPLE)
    tools = [
        one for one in calls if one["op_name"].split("/op/")[1].split(":")[0] in ("read_file", "run_tests", "edit_file")
    ]
    stream = taken(SAMPLE)
    assert (len(tools), len(tools), 1, 1) == counts(stream)
    assert (300, 60, 0) == spent(stream), "a parent's usage is the sum of those below it"
    failed = [result for result in only(stream, events.ToolReturned) if result.failed]
    assert ["ValueError: not found in calc.py: a * b"] == [result.output for result in failed]
    assert {"conversation-1"} == {event.run for event in stream}
    assert "note" not in {event.tool for event in only(stream, events.ToolCalled)}


def test_a_list_and_the_answer_of_the_api_are_the_same():
    calls = raw(SAMPLE)
    assert of(calls)[0] == of({"calls": calls})[0] == of(lines(*calls))[0]
    assert of(list(reversed(calls)))[0] == of(calls)[0], "in whatever order they stand"


def test_calls_that_are_there_twice_count_once():
    calls = raw(SAMPLE)
    assert of(calls)[0] == of([*calls, *calls])[0] == of([one for one in calls for _ in range(3)])[0]


def test_kinds_that_are_said_and_sub_agents():
    stream, _ = of(
        [
            call(1, "main", attributes=kind("agent")),
            call(2, "look", "c1", {"self": "weave:///e/p/object/x", "path": "a"}, attributes=kind("tool"), output="x"),
            call(3, "helper", "c1", attributes=kind("agent")),
            call(4, "grep", "c3", {"q": "b"}, attributes=kind("tool"), output={"found": 0}),
        ]
    )
    assert [("look", ""), ("grep", "helper c3")] == [(e.tool, e.agent) for e in only(stream, events.ToolCalled)]
    assert {"path": "a"} == only(stream, events.ToolCalled)[0].args


def test_what_calls_cost():
    costs = {"prompt_tokens_total_cost": 0.25, "completion_tokens_total_cost": 0.5}
    stream, _ = of([call(1, "main", summary=used(tokens_in=10)), call(2, "llm", "c1", summary=used(**costs))])
    assert (10, 2, 0.75) == spent(stream)


def test_each_model_of_a_call_has_its_own_tokens_and_cost():
    """Only the tokens of the first were counted, beside the cost of all."""
    small, large = used("gpt-5-mini", 1000, 10), used("gpt-5", 500, 20, prompt_tokens_total_cost=0.25)
    both = {"usage": small["usage"] | large["usage"], "weave": large["weave"]}
    stream, _ = of([call(1, "openai.chat", summary=both), call(2, "openai.chat", summary=small)])
    assert (2500, 40, 0.25) == spent(stream)
    by_model, model = [], None
    for event in stream:
        model = event.model if isinstance(event, events.RunStarted) else model
        if isinstance(event, events.Used):
            by_model.append((model, event.tokens_in, event.tokens_out, event.cost_usd))
    first, second, third = ("gpt-5-mini", 1000, 10, 0), ("gpt-5", 500, 20, 0.25), ("gpt-5-mini", 1000, 10, 0)
    assert [first, second, third] == by_model


def test_a_call_that_is_not_over_has_no_result():
    ask = {"output": [{"type": "function_call", "name": "ls", "arguments": "{}"}]}
    model = call(1, "openai.responses.create", summary=used(), output=ask)
    stream, _ = of([model, call(2, "ls", ended_at=None), call(3, "ls"), call(4, "other")])
    assert (2, 1, 0, 0) == counts(stream)


@pytest.mark.parametrize("odd", [5, "x", [], None, {"op_name": 7}])
def test_what_is_no_call_is_counted(odd):
    good = call(1, "look", attributes=kind("tool"), output="x")
    stream, source = of(lines(good, {"x": 1}) + b"\n" + json.dumps(odd).encode())
    assert (1, 2 if odd != [] else 1) == (len(only(stream, events.ToolCalled)), source.skipped)


@pytest.mark.parametrize(
    "field", ["id", "trace_id", "parent_id", "thread_id", "summary", "attributes", "output", "exception"]
)
@pytest.mark.parametrize("value", [5, True, [1], {"a": {"b": []}}, "<script>alert(1)</script>"])
def test_fields_of_another_type_do_no_harm(field, value):
    first = call(1, "look", attributes=kind("tool"), output="x")
    stream, _ = of(lines(first, {**call(2, "look", "c1", summary=used()), field: value}))
    assert only(stream, events.ToolCalled)


def test_parents_in_a_circle_end():
    stream, _ = of(
        [call(1, "a", "c2", attributes=kind("agent")), call(2, "b", "c1", attributes=kind("tool"), output="x")]
    )
    assert 1 == len(only(stream, events.ToolCalled))


def test_calls_that_all_go_on_at_once_take_time_by_their_number_only():
    """Which call a span carries out is asked for each span; going through all open calls took minutes for 60,000."""
    times = {"started_at": f"{START}0Z", "ended_at": f"{START}1Z", "attributes": kind("tool"), "output": "x"}
    many, few = ([call(number, "look", **times) for number in range(size)] for size in (4_000, 500))
    assert costs_at_most(24, lambda: of(many), lambda: of(few))
