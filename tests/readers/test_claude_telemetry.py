import pytest

from headway.core import events
from tests.readers.samples_read import counts, of, only, raw, spent, taken


def plain(pairs):
    return {pair["key"]: next(iter(pair["value"].values()), None) for pair in pairs}


def test_the_logs_tell_prompts_calls_words_and_cost():
    logs = [
        plain(record["attributes"])
        for request in raw("claude-telemetry/both.otlp.jsonl")
        for group in request.get("resourceLogs", ())
        for scope in group["scopeLogs"]
        for record in scope["logRecords"]
    ]
    requests = [log for log in logs if log["event.name"] == "api_request"]
    calls = [log for log in logs if log["event.name"] == "tool_result"]
    stream = taken("claude-telemetry/both.otlp.jsonl")

    assert [call["tool_use_id"] for call in calls] == [event.call for event in only(stream, events.ToolCalled)]
    assert ["echo one", "echo two", "echo three"] == [e.args["command"] for e in only(stream, events.ToolCalled)]
    cost = round(sum(r["cost_usd"] for r in requests), 6)
    assert (sum(r["input_tokens"] for r in requests), sum(r["output_tokens"] for r in requests), cost) == spent(stream)
    assert (3, 0, 1, 1) == counts(stream)
    assert ("claude-code", "go") == (stream[0].program, only(stream, events.UserSpoke)[0].text)


def test_spans_alone_tell_nearly_as_much():
    stream = taken("claude-telemetry/spans.otlp.json")
    assert (3, 0, 1, 0) == counts(stream)
    assert (400, 80, 0) == spent(stream)
    assert ["echo one", "echo two", "echo three"] == [e.args["command"] for e in only(stream, events.ToolCalled)]


def test_a_failure_is_a_result():
    attributes = {
        "event.name": "tool_result", "tool_name": "Bash", "tool_use_id": "t", "success": "false",
        "tool_input": '{"command": "false"}', "error": "Exit code 1", "session.id": "s",
    }  # fmt: skip
    pairs = [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()]
    record = {
        "timeUnixNano": "1794766248343000000",
        "body": {"stringValue": "claude_code.tool_result"},
        "attributes": pairs,
    }
    service = {"attributes": [{"key": "service.name", "value": {"stringValue": "claude-code"}}]}
    stream, _ = of({"resourceLogs": [{"resource": service, "scopeLogs": [{"logRecords": [record]}]}]})
    assert [("t", "Exit code 1", True)] == [(e.call, e.output, e.failed) for e in only(stream, events.ToolReturned)]
    assert 1794766248.343 == pytest.approx(stream[-1].at)
