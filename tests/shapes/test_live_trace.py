"""Spans told one after the other as they end."""

import json

import pytest

from headway.core import events
from headway.shapes import live_trace
from headway.shapes.contents import Contents
from headway.shapes.live_trace import LiveTrace
from headway.shapes.otlp import Span
from headway.shapes.trace import told
from headway.shapes.vocabularies import moment_of


def span(id, operation, parent="", trace="t", start=0.0, end=0.0, **attributes):
    named = {f"gen_ai.{name.replace('__', '.')}": value for name, value in attributes.items()}
    named["gen_ai.operation.name"] = operation
    return Span(trace, id, parent, operation, start or float(id), end or float(id) + 0.5, named)


def begun(operation="", conversation=""):
    """A span that has begun, with what it has told so far."""
    told = {"gen_ai.operation.name": operation, "gen_ai.conversation.id": conversation}
    return Span("t", "", "", operation, 0.0, None, {name: value for name, value in told.items() if value})


def tool(id, parent="", command="ls", **more):
    given = json.dumps({"command": command})
    return span(id, "execute_tool", parent, tool__name="bash", tool__call__arguments=given, tool__call__result="a.py", **more)  # fmt: skip


def message(role, *parts):
    return {"role": role, "parts": [*parts]}


ASKED = message("user", {"type": "text", "content": "go"})
CALL = message("assistant", {"type": "tool_call", "id": "c1", "name": "bash", "arguments": {"command": "ls"}})
ANSWER = message("tool", {"type": "tool_call_response", "id": "c1", "response": "a.py"})


def chat(id, sent, said, parent="", trace="t", **more):
    contents = {"input__messages": json.dumps(sent), "output__messages": json.dumps([said])}
    return span(id, "chat", parent, trace, usage__input_tokens=100, usage__output_tokens=10, **contents, **more)


def ended(trace, *spans):
    return [event for one in spans for event in trace.ended(moment_of(one))]


def kinds(stream):
    return [type(event).__name__ for event in stream if not isinstance(event, events.RunStarted)]


def test_what_a_model_asked_for_is_told_once():
    stream = ended(
        LiveTrace(), chat("1", [ASKED], CALL), tool("2", tool__call__id="c1"), chat("3", [ASKED, CALL, ANSWER], ANSWER)
    )
    assert ["UserSpoke", "ToolCalled", "Used", "ToolReturned", "Used"] == kinds(stream)


def test_calls_without_spans_are_told_from_the_messages():
    done = message("assistant", {"type": "text", "content": "done"})
    first, second = chat("1", [ASKED], CALL, trace="t1"), chat("2", [ASKED, CALL, ANSWER], done, trace="t2")
    stream = ended(LiveTrace(), first, second)
    assert {"t1"} == {event.run for event in stream}, "the second trace goes on with the first"
    assert ["UserSpoke", "ToolCalled", "Used", "ToolReturned", "AgentSpoke", "Used"] == kinds(stream)


def test_another_conversation_is_another_run():
    other = message("user", {"type": "text", "content": "something else"})
    stream = ended(
        LiveTrace(), chat("1", [ASKED], CALL, trace="t1"), chat("2", [other, CALL, ANSWER], CALL, trace="t2")
    )
    assert {"t1", "t2"} == {event.run for event in stream}


def test_an_agent_below_an_agent_is_told_apart_even_if_its_attributes_come_late():
    trace, outer, inner = LiveTrace(), begun(), begun()
    trace.began("1", "", outer)
    trace.began("2", "1", inner)
    outer.attributes["gen_ai.operation.name"] = inner.attributes["gen_ai.operation.name"] = "invoke_agent"
    stream = ended(trace, tool("3", "2"), tool("4", "1"))
    assert ["2", ""] == [event.agent for event in stream if isinstance(event, events.ToolCalled)]


def test_a_span_belongs_to_the_conversation_of_an_open_span_around_it():
    trace = LiveTrace()
    trace.began("1", "", begun("invoke_agent", "one"))
    assert {"one"} == {event.run for event in ended(trace, tool("2", "1"))}


def test_an_agent_on_top_is_a_new_turn_even_if_the_tool_ends_before_the_model():
    trace = LiveTrace()
    trace.began("1", "", begun("invoke_agent"))
    stream = ended(trace, tool("3", "1", tool__call__id="c1"), chat("2", [ASKED], CALL, "1"), tool("4", "1"))
    assert ["UserSpoke", "ToolCalled", "ToolReturned", "Used", "ToolCalled", "ToolReturned"] == kinds(stream)


def test_the_tokens_of_a_model_inside_of_a_model_are_counted_once():
    outer = chat("1", [ASKED], CALL, end=5.0)
    inner = chat("2", [ASKED], CALL, "1")
    trace = LiveTrace()
    trace.began("1", "", outer)
    trace.began("2", "1", inner)
    live = ended(trace, inner, outer)
    recorded = [*told(map(moment_of, (outer, inner)))]
    for stream in (live, recorded):
        assert [100] == [event.tokens_in for event in stream if isinstance(event, events.Used)]
        assert 1 == kinds(stream).count("ToolCalled")


def test_calls_that_overlap_in_time_are_one_batch():
    stream = ended(LiveTrace(), tool("1", end=3.0), tool("2", end=4.0), tool("5"))
    first, second, third = [event.batch for event in stream if isinstance(event, events.ToolCalled)]
    assert first == second != third


def test_what_is_remembered_is_bounded(monkeypatch):
    monkeypatch.setattr(live_trace, "OPEN_SPANS", 5)
    monkeypatch.setattr(live_trace, "RUNS", 5)
    trace = LiveTrace()
    for n in range(1, 50):
        trace.began(str(n), "", begun())
        trace.began(f"agent {n}", "", begun("invoke_agent", f"c{n}"))
        ended(trace, tool(f"{n}00", f"agent {n}", trace=f"t{n}"), chat(f"{n}01", [ASKED], CALL, f"agent {n}", f"t{n}"))
    kept = [value for value in vars(trace).values() if isinstance(value, dict)]
    assert kept and all(len(one) <= 5 for one in kept)


def test_calls_that_are_never_answered_are_forgotten(monkeypatch):
    monkeypatch.setattr(live_trace, "CALLS", 5)
    trace = LiveTrace()
    for n in range(1, 50):
        ended(trace, span(str(n), "execute_tool", tool__name="bash"))
    (teller,) = trace._tellers.values()
    assert 5 == len(teller.asked) == len(teller.args) == len(teller.talk.open)


UNRECORDED = [
    [message("user", {"type": "text"}), message("assistant", {"type": "tool_call", "id": "c1", "name": "bash"})],
    [ASKED, CALL, message("tool", {"type": "tool_call_response", "id": "c1"})],
]


@pytest.mark.parametrize("sent", UNRECORDED)
def test_calls_and_results_without_contents_are_not_told(sent):
    stream = ended(
        LiveTrace(), chat("1", sent, message("assistant", {"type": "tool_call", "id": "c2", "name": "bash"}))
    )
    assert "ToolReturned" not in kinds(stream)
    assert {"c2"}.isdisjoint(event.call for event in stream if isinstance(event, events.ToolCalled))


def redacted(id, **more):
    flat = {
        "llm.input_messages.0.message.role": "assistant", "llm.input_messages.0.message.tool_calls.0.tool_call.id": "c1",
        "llm.input_messages.0.message.tool_calls.0.tool_call.function.name": "bash",
        "llm.input_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"command": "ls"}',
        "llm.input_messages.1.message.role": "tool", "llm.input_messages.1.message.tool_call_id": "c1",
        "llm.input_messages.1.message.content": "a.py", "openinference.span.kind": "LLM",
    }  # fmt: skip
    return Span("t", id, "", "chat", 1.0, 2.0, flat | more)


def test_hidden_texts_of_openinference_are_no_contents():
    assert ["ToolCalled", "ToolReturned"] == kinds(ended(LiveTrace(), redacted("1")))
    result = redacted("1", **{"llm.input_messages.1.message.content": "__REDACTED__"})
    assert ["ToolCalled"] == kinds(ended(LiveTrace(), result))
    call = "llm.input_messages.0.message.tool_calls.0.tool_call.function.arguments"
    assert [] == kinds(ended(LiveTrace(), redacted("1", **{call: "__REDACTED__"})))


def test_contents_are_missed_after_three_spans_and_once():
    contents, bare = Contents(), moment_of(span("1", "chat"))
    said = [contents.missing(bare, "some.scope") for _ in range(6)]
    assert ["", "", said[2], "", "", ""] == said and "some.scope" in said[2]
    contents = Contents()
    said = [contents.missing(one, "s") for one in (bare, bare, moment_of(chat("2", [ASKED], CALL)), bare, bare, bare)]
    assert [""] * 6 == said


ODD = [None, 5, 0.5, True, "x", "{", "[5]", "[{}]", '{"a": [1]}', ["x"], [5, None], {"a": 1}, "__REDACTED__", "{}"]
NAMES = [
    "gen_ai.operation.name", "gen_ai.tool.name", "gen_ai.tool.call.id", "gen_ai.tool.call.arguments", "gen_ai.tool.call.result",
    "gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.conversation.id", "gen_ai.usage.input_tokens", "tool.parameters",
    "input.value", "output.value", "llm.input_messages", "llm.input_messages.0.message.content", "llm.output_messages",
    "llm.input_messages.0.message.tool_calls", "session.id", "ai.prompt.messages", "ai.response.toolCalls", "ai.toolCall.args",
    "ai.toolCall.result", "gcp.vertex.agent.tool_response", "traceloop.entity.input", "traceloop.entity.output",
]  # fmt: skip
FRAMES = [
    {"gen_ai.operation.name": "execute_tool"}, {"gen_ai.operation.name": "chat"}, {"openinference.span.kind": "LLM"},
    {"openinference.span.kind": "TOOL"}, {"ai.operationId": "ai.toolCall"}, {"ai.operationId": "ai.generateText.doGenerate"},
]  # fmt: skip


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("name", NAMES)
def test_odd_values_do_no_harm(name, frame):
    trace, contents = LiveTrace(), Contents()
    for n, odd in enumerate(ODD, 1):
        moment = moment_of(Span("t", str(n), "", "x", float(n), n + 0.5, {**frame, name: odd}))
        contents.missing(moment, "s")
        trace.ended(moment)
    said = [message("tool", odd) for odd in ODD] + [{"role": "tool", "content": odd} for odd in ODD]
    out = trace.ended(moment_of(chat("90", said, message("assistant", *ODD))))
    assert all(isinstance(event, events.Event) for event in out)
