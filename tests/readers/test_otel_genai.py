import json

import pytest

from headway.core import events
from tests.readers.samples_read import counts, lines, of, only, raw, spent, taken

COPILOT = "otel-genai/copilot.jsonl"
OLD = "otel-genai/openai-old.otlp.jsonl"


def span(id, operation, **attributes):
    named = {f"gen_ai.{key.replace('__', '.')}": value for key, value in attributes.items()}
    return {
        "traceId": "t", "spanId": id, "name": operation, "startTime": [100 + int(id), 0], "endTime": [100 + int(id), 500],
        "attributes": {"gen_ai.operation.name": operation, **named},
    }  # fmt: skip


def test_spans_after_the_new_conventions():
    found = [record["attributes"] for record in raw(COPILOT)]
    tools = [a for a in found if a["gen_ai.operation.name"] == "execute_tool"]
    chats = [a for a in found if a["gen_ai.operation.name"] == "chat"]
    stream = taken(COPILOT)
    results = {event.call: event for event in only(stream, events.ToolReturned)}

    assert {a["gen_ai.tool.call.id"]: json.loads(a["gen_ai.tool.call.arguments"]) for a in tools} == {
        event.call: event.args for event in only(stream, events.ToolCalled)
    }
    assert {a["gen_ai.tool.call.id"] for a in tools if "error.type" in a} == {c for c, e in results.items() if e.failed}
    assert {a["gen_ai.tool.call.id"]: a.get("process.exit.code") for a in tools} == {
        c: e.exit_code for c, e in results.items()
    }
    assert "Path does not exist" == results["call_2_0"].output
    assert (
        sum(a["gen_ai.usage.input_tokens"] for a in chats),
        sum(a["gen_ai.usage.output_tokens"] for a in chats),
        0,
    ) == spent(stream)
    assert (4, 4, 0, 2) == counts(stream)  # what the user said was not recorded
    assert {found[0]["gen_ai.conversation.id"]} == {event.run for event in stream}


def test_messages_in_log_events_after_the_old_conventions():
    logs = [r for doc in raw(OLD) for g in doc.get("resourceLogs", ()) for s in g["scopeLogs"] for r in s["logRecords"]]
    whole = [r["eventName"] for r in logs if r["spanId"] == logs[-1]["spanId"]]
    stream = taken(OLD)

    assert (
        (3, whole.count("gen_ai.tool.message"), whole.count("gen_ai.user.message"), 2) == counts(stream) == (3, 3, 1, 2)
    )
    assert ["call_a", "call_b", "call_c"] == [event.call for event in only(stream, events.ToolReturned)]
    assert (300, 60, 0) == spent(stream)


def test_flattened_messages_of_the_oldest_conventions():
    chat = span(
        "1", "chat", prompt__0__role="user", prompt__0__content="go",
        completion__0__content="ok", completion__0__tool_calls__0__id="c",
        completion__0__tool_calls__0__name="ls", completion__0__tool_calls__0__arguments='{"path": "src"}',
        usage__prompt_tokens=7, usage__completion_tokens=2,
    )  # fmt: skip
    stream, _ = of(lines(chat))
    assert [("c", "ls", {"path": "src"})] == [(e.call, e.tool, e.args) for e in only(stream, events.ToolCalled)]
    assert (1, 0, 1, 1) == counts(stream)
    assert (7, 2, 0) == spent(stream)


def test_results_that_were_not_recorded_are_not_made_up():
    quiet = span("1", "execute_tool", tool__name="Bash", tool__call__id="a")
    failed = {
        **span("2", "execute_tool", tool__name="Bash", tool__call__id="b"),
        "status": {"code": 2, "message": "no"},
    }
    known = span(
        "3", "execute_tool", tool__name="Bash", tool__call__id="c", tool__call__arguments="{}", tool__call__result=""
    )
    stream, _ = of(lines(quiet, failed, {**known, "status": {"code": 2, "message": "denied"}}))
    assert (3, 1, 0, 0) == counts(stream)
    assert [("c", "denied", True)] == [(e.call, e.output, e.failed) for e in only(stream, events.ToolReturned)]


def test_what_a_model_is_sent_again_is_told_once():
    def said(*messages):
        return json.dumps([{"role": r, "parts": parts} for r, parts in messages])

    go = ("user", [{"type": "text", "content": "go"}])
    call = ("assistant", [{"type": "tool_call", "id": "c", "name": "ls", "arguments": {}}])
    result = ("tool", [{"type": "tool_call_response", "id": "c", "response": "a.py"}])
    more = ("user", [{"type": "text", "content": "more"}])
    stream, _ = of(
        lines(
            span("1", "chat", input__messages=said(go), output__messages=said(call)),
            span("2", "chat", input__messages=said(go, call, result), output__messages=said(("assistant", go[1]))),
            span("3", "chat", input__messages=said(go, call, result, ("assistant", go[1]), more)),
        )
    )
    assert (1, 1, 2, 1) == counts(stream)
    assert ["go", "more"] == [event.text for event in only(stream, events.UserSpoke)]


def test_other_records_are_counted():
    stream, source = of(lines(span("1", "chat", usage__input_tokens=3), {"something": "else"}, 7))
    assert (3, 0, 0) == spent(stream)
    assert 2 == source.skipped


def test_calls_of_a_model_without_a_span_around_them_are_one_run():
    """Each is a trace of its own; what the last one was sent tells that they belong together."""
    found = raw("otel-genai/openllmetry.jsonl")
    last = json.loads(found[-1]["attributes"]["gen_ai.input.messages"])
    parts = [part["type"] for message in last for part in message["parts"]]
    stream = taken("otel-genai/openllmetry.jsonl")

    assert 3 == len({record["context"]["trace_id"] for record in found})
    assert 1 == len({event.run for event in stream})
    assert (parts.count("tool_call"), parts.count("tool_call_response"), 1, 2) == counts(stream) == (3, 3, 1, 2)
    assert (300, 60, 0) == spent(stream)


def test_other_conversations_at_the_same_time_stay_apart():
    def chat(id, *words):
        sent = json.dumps([{"role": "user", "parts": [{"type": "text", "content": word}]} for word in words])
        return {**span(id, "chat", input__messages=sent), "traceId": f"t{id}"}

    stream, _ = of(lines(chat("1", "a"), chat("2", "b"), chat("3", "a", "more"), chat("4", "b", "more")))
    assert [("t1", "a"), ("t2", "b"), ("t1", "more"), ("t2", "more")] == [
        (e.run, e.text) for e in only(stream, events.UserSpoke)
    ]


@pytest.mark.parametrize("name", ["cache_write", "cache_creation"])
def test_tokens_written_to_a_cache_have_two_names(name):
    chat = span("1", "chat", usage__input_tokens=1_000, usage__output_tokens=5, **{f"usage__{name}__input_tokens": 900})
    stream, _ = of(lines(chat))
    assert [900] == [event.tokens_written for event in only(stream, events.Used)]
