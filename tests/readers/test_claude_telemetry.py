import json

import pytest

from headway.core import events
from headway.sources import Source
from headway.study.scan import scan
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
    assert (3, 3, 1, 1) == counts(stream)
    assert ("claude-code", "go") == (stream[0].program, only(stream, events.UserSpoke)[0].text)


def test_spans_alone_tell_nearly_as_much():
    stream = taken("claude-telemetry/spans.otlp.json")
    assert (3, 3, 1, 0) == counts(stream)
    assert (400, 80, 0) == spent(stream)
    assert ["echo one", "echo two", "echo three"] == [e.args["command"] for e in only(stream, events.ToolCalled)]


def tool_results(*calls):
    """What Claude Code logs of calls that came back."""
    logged = []
    for number, call in enumerate(calls):
        attributes = {
            "event.name": "tool_result", "tool_name": "Bash", "tool_use_id": f"t{number}", "session.id": "s",
            "success": "true", **call,
        }  # fmt: skip
        pairs = [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()]
        body = {"stringValue": "claude_code.tool_result"}
        logged.append({"timeUnixNano": f"{1794766248343000000 + number}", "body": body, "attributes": pairs})
    service = {"attributes": [{"key": "service.name", "value": {"stringValue": "claude-code"}}]}
    return {"resourceLogs": [{"resource": service, "scopeLogs": [{"logRecords": logged}]}]}


def test_a_failure_is_a_result():
    call = {"success": "false", "tool_input": '{"command": "false"}', "error": "Exit code 1"}
    stream, _ = of(tool_results(call))
    assert [("t0", "Exit code 1", True)] == [(e.call, e.output, e.failed) for e in only(stream, events.ToolReturned)]
    assert 1794766248.343 == pytest.approx(stream[-1].at)


@pytest.mark.parametrize(
    ("tool", "given"),
    [("Bash", {"command": "pytest -q"}), ("Grep", {"pattern": "x"}), ("Read", {"file_path": "/p/a.py"})],
)
def test_a_result_that_was_not_recorded_is_a_step_and_equal_to_no_other(tool, given):
    call = {"tool_name": tool, "tool_input": json.dumps(given)}
    source = Source(content=json.dumps(tool_results(*[call] * 12)).encode())
    (report,) = scan(source)
    assert (12, 0, "continue") == (report.steps, report.failed_steps, report.verdict)


def test_a_call_of_which_nothing_was_recorded_stays_open():
    stream, _ = of(tool_results({}))
    assert (1, 0, 0, 0) == counts(stream)
