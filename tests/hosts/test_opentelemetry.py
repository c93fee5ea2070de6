"""Traces under watch, made with the real SDK."""

import json
import logging
from contextlib import contextmanager

import pytest

pytest.importorskip(
    "opentelemetry.sdk", reason="opentelemetry-sdk is not installed here; `make test-frameworks` runs this"
)

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import Status, StatusCode
from with_opentelemetry import set_up

from headway.hosts.frameworks.opentelemetry import HeadwaySpanProcessor
from headway.shapes.otlp import Span
from headway.shapes.vocabularies import moment_of
from tests.hosts.said import FACT, NUDGE


@pytest.fixture(autouse=True)
def _switched_on(monkeypatch):
    """Others switch the SDK off, for frameworks that would report home with it."""
    monkeypatch.delenv("OTEL_SDK_DISABLED", raising=False)


@pytest.fixture
def told():
    return []


@pytest.fixture
def tracer(told):
    return set_up(told.append).get_tracer("test")


def genai(tracer, command="ls", result="a.py b.py", conversation="one", **more):
    attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "bash", **more}
    if conversation:
        attributes["gen_ai.conversation.id"] = conversation
    with tracer.start_as_current_span("execute_tool bash", attributes=attributes) as span:
        span.set_attribute("gen_ai.tool.call.arguments", json.dumps({"command": command}))
        if result is not None:
            span.set_attribute("gen_ai.tool.call.result", result)


def openinference(tracer, command="ls", result="a.py b.py", conversation="one"):
    with tracer.start_as_current_span("bash", attributes={"openinference.span.kind": "TOOL"}) as span:
        span.set_attributes({"tool.name": "bash", "session.id": conversation, "output.value": result})
        span.set_attribute("tool.parameters", json.dumps({"command": command}))


@contextmanager
def agent(tracer, name="main", **attributes):
    with tracer.start_as_current_span(
        f"invoke_agent {name}", attributes={"gen_ai.operation.name": "invoke_agent", **attributes}
    ):
        yield


def actions(told):
    return [str(decision.action) for decision in told]


@pytest.mark.parametrize("call", [genai, openinference])
def test_a_loop_is_told_and_then_the_run_should_stop(tracer, told, call):
    for _ in range(3):
        call(tracer)
    assert [("nudge", FACT)] == [(str(decision.action), decision.message) for decision in told]
    for _ in range(6):
        call(tracer)
    assert ["nudge", "block", "block", "stop"] == actions(told)
    assert "exact_cycle" == told[-1].reason


@pytest.mark.parametrize("call", [genai, openinference])
def test_healthy_work_is_not_mentioned(tracer, told, call):
    for n in range(20):
        call(tracer, f"cat {n}.py", f"the text of {n}.py")
    assert [] == told


def test_conversations_are_kept_apart(tracer, told):
    for n in range(20):
        genai(tracer, conversation=f"conversation {n}")
    assert [] == told


def test_without_a_conversation_a_trace_is_one(tracer, told):
    for _ in range(3):
        genai(tracer, conversation=None)
    assert [] == told, "three traces"
    with tracer.start_as_current_span("request"):
        for _ in range(3):
            genai(tracer, conversation=None)
    assert ["nudge"] == actions(told)


def test_spans_belong_to_the_conversation_of_the_agent_above_them(tracer, told):
    with agent(tracer, **{"gen_ai.conversation.id": "one"}):
        for _ in range(2):
            genai(tracer, conversation=None)
    assert [] == told
    with agent(tracer, **{"gen_ai.conversation.id": "one"}):
        for _ in range(3):
            genai(tracer, conversation=None)
    assert ["nudge"] == actions(told), "an agent on top is a new turn: three, not two and one"


def test_agents_below_an_agent_are_kept_apart(tracer, told):
    with agent(tracer, **{"gen_ai.conversation.id": "one"}):
        for _ in range(10):
            with agent(tracer, "research"):
                genai(tracer, conversation=None)
    assert [] == told


def test_calls_that_overlap_were_asked_for_together(tracer, told):
    attributes = {
        "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "bash", "gen_ai.conversation.id": "one",
        "gen_ai.tool.call.arguments": '{"command": "ls"}', "gen_ai.tool.call.result": "a.py b.py",
    }  # fmt: skip
    spans = [tracer.start_span("execute_tool bash", attributes=attributes) for _ in range(6)]
    for span in spans:
        span.end()
    assert [] == told


def test_a_result_that_was_not_recorded_is_no_repeat(tracer, told):
    for _ in range(20):
        genai(tracer, result=None)
    assert [] == told


def test_an_empty_result_is_a_result(tracer, told):
    for _ in range(3):
        genai(tracer, result="")
    assert ["nudge"] == actions(told)


def test_a_failure_without_a_result_is_known_by_its_status(tracer, told):
    for _ in range(3):
        with tracer.start_as_current_span(
            "execute_tool bash", attributes={"gen_ai.operation.name": "execute_tool"}
        ) as span:
            span.set_attributes({"gen_ai.tool.call.arguments": '{"command": "make"}', "gen_ai.conversation.id": "one"})
            span.set_status(Status(StatusCode.ERROR, "no rule to make target"))
    assert ["nudge"] == actions(told)


def test_what_models_use_counts_against_the_budget(told):
    provider = TracerProvider()
    provider.add_span_processor(HeadwaySpanProcessor(on_decision=told.append, settings={"global": {"max_tokens": 250}}))
    tracer = provider.get_tracer("test")
    used = {"gen_ai.usage.input_tokens": 100, "gen_ai.usage.output_tokens": 30, "gen_ai.conversation.id": "one"}
    with agent(tracer, **used):
        tracer.start_span("chat", attributes={"gen_ai.operation.name": "chat", **used}).end()
        tracer.start_span("chat", attributes={"gen_ai.operation.name": "chat", **used}).end()
    assert "stop" in actions(told) and "spend" == told[-1].reason


def test_a_loop_of_your_own_can_ask():
    provider, headway = TracerProvider(), HeadwaySpanProcessor()
    provider.add_span_processor(headway)
    for _ in range(3):
        genai(provider.get_tracer("test"))
    assert NUDGE == headway.conversation("one").advice() and headway.conversation("one").stopped is None


def test_decisions_nobody_asked_for_are_logged(caplog):
    provider = TracerProvider()
    provider.add_span_processor(HeadwaySpanProcessor())
    with caplog.at_level(logging.INFO, "headway"):
        for _ in range(9):
            genai(provider.get_tracer("test"))
    assert ["nudge (exact_cycle)", "block (exact_cycle)"] == [message.split(":")[0] for message in caplog.messages[:2]]
    assert {"INFO", "WARNING"} == {record.levelname for record in caplog.records}


def test_other_spans_are_none_of_our_business(told):
    provider, headway = TracerProvider(), HeadwaySpanProcessor(on_decision=told.append)
    provider.add_span_processor(headway)
    for _ in range(50):
        with provider.get_tracer("test").start_as_current_span("GET /"):
            pass
    assert [] == told and 0 == len(headway._conversations) == len(headway._trace.open)


def test_spans_that_never_end_are_forgotten(monkeypatch):
    monkeypatch.setattr("headway.shapes.live_trace.OPEN_SPANS", 5)
    provider, headway = TracerProvider(), HeadwaySpanProcessor()
    provider.add_span_processor(headway)
    for _ in range(20):
        provider.get_tracer("test").start_span("invoke_agent", attributes={"gen_ai.operation.name": "invoke_agent"})
    assert 5 == len(headway._trace.open)


def moment(attributes):
    return moment_of(Span("t", "s", "", "", 1.0, 2.0, attributes))


def test_both_vocabularies_say_the_same():
    genai = {
        "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "bash", "gen_ai.tool.call.id": "c1",
        "gen_ai.tool.call.arguments": '{"command": "ls"}', "gen_ai.tool.call.result": "a.py", "gen_ai.conversation.id": "one",
    }  # fmt: skip
    openinference = {
        "openinference.span.kind": "TOOL", "tool.name": "bash", "tool.id": "c1", "tool.parameters": '{"command": "ls"}',
        "output.value": "a.py", "session.id": "one",
    }  # fmt: skip
    assert moment(genai) == moment(openinference)
    found = moment(genai)
    assert ("tool", "bash", "c1", "one") == (found.kind, found.name, found.call, found.run)
    assert ({"command": "ls"}, "a.py") == (found.args, found.output)
    assert "" == moment({"http.method": "GET"}).kind


def test_older_vocabularies_are_understood_too():
    traceloop = {
        "traceloop.span.kind": "tool", "traceloop.entity.name": "bash", "traceloop.entity.input": '{"command": "ls"}',
        "traceloop.entity.output": "a.py",
    }  # fmt: skip
    vercel = {
        "ai.operationId": "ai.toolCall", "ai.toolCall.name": "bash", "ai.toolCall.id": "c1",
        "ai.toolCall.args": '{"command": "ls"}', "ai.toolCall.result": '"a.py"',
    }  # fmt: skip
    said = [(found.kind, found.name, found.args, found.output) for found in map(moment, (traceloop, vercel))]
    assert [("tool", "bash", {"command": "ls"}, "a.py")] * 2 == said
    assert "model" == moment({"gen_ai.request.model": "m"}).kind


@pytest.fixture
def queue(tmp_path, monkeypatch):
    """What is queued for other machines."""
    import sqlite3

    from headway.core.events import decode_event

    monkeypatch.setenv("HEADWAY_STATE_DIR", str(tmp_path))

    def queued():
        with sqlite3.connect(tmp_path / "sessions.db") as connection:
            return [decode_event(event) for (event,) in connection.execute("SELECT event FROM outgoing ORDER BY id")]

    return queued


def test_events_go_to_other_machines_if_the_settings_say_so(queue, told):
    provider = TracerProvider()
    processor = HeadwaySpanProcessor(on_decision=told.append, settings={"forward": {"kafka": "nowhere:9092"}})
    provider.add_span_processor(processor)
    tracer = provider.get_tracer("test")
    for _ in range(3):
        genai(tracer)
        genai(tracer, "cat secret.txt", "a private text", "two")
    assert processor.force_flush()
    for run in ("one", "two"):
        events = [event for event in queue() if event.run == run]
        assert [*range(1, 8)] == [event.seq for event in events]
        assert ["RunStarted", *["ToolCalled", "ToolReturned"] * 3] == [type(event).__name__ for event in events]
    assert not any(b"private" in json.dumps(str(event)).encode() for event in queue())
    assert ["nudge", "nudge"] == actions(told)


def test_a_session_that_was_forgotten_begins_again(queue, told, monkeypatch):
    from headway.hosts.frameworks import forwarding

    monkeypatch.setattr(forwarding, "SESSIONS", 1)
    provider = TracerProvider()
    processor = HeadwaySpanProcessor(on_decision=told.append, settings={"forward": {"kafka": "nowhere:9092"}})
    provider.add_span_processor(processor)
    for name in ("one", "two", "one"):
        genai(provider.get_tracer("test"), conversation=name)
    assert processor.force_flush()
    assert [1, 2, 3] * 2 == [event.seq for event in queue() if event.run == "one"]


def test_nothing_is_queued_by_default(tracer, tmp_path, monkeypatch):
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(tmp_path))
    genai(tracer)
    assert [] == list(tmp_path.iterdir())


def test_a_queue_that_cannot_be_written_delays_nothing_and_is_tried_again(tmp_path, monkeypatch, told, caplog):
    from headway.hosts.frameworks import forwarding
    from headway.store.outgoing import outgoing_counts

    monkeypatch.setattr(forwarding, "AGAIN_AFTER", 0.05)
    monkeypatch.setattr(forwarding, "IN_MEMORY", 4)
    (tmp_path / "state").write_text("a file where a folder should be")
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(tmp_path / "state"))
    provider = TracerProvider()
    processor = HeadwaySpanProcessor(on_decision=told.append, settings={"forward": {"kafka": "nowhere:9092"}})
    provider.add_span_processor(processor)
    for _ in range(20):
        genai(provider.get_tracer("test"))
    assert not processor.force_flush(200)
    assert "nudge" in actions(told)
    (tmp_path / "state").unlink()
    assert processor.force_flush()
    counts = outgoing_counts()
    assert 1 + 2 * 20 == counts.waiting + counts.dropped
    assert counts.dropped > 0
