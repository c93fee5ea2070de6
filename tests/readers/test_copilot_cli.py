import json

from headway.core import events
from headway.readers.copilot_cli import CopilotCli
from headway.sources import Source
from tests.readers.counting import counts, only, raw_lines, sample

NAME = "copilot-cli/events.jsonl"
START = {"type": "session.start", "data": {"sessionId": "s", "selectedModel": "m", "context": {"cwd": "/w"}}}


def read(*records):
    source = Source(content=b"\n".join(json.dumps(record).encode() for record in records))
    return list(CopilotCli().read(source)), source


def event(type, **data):
    return {"type": type, "data": data, "timestamp": "2026-01-01T00:00:00Z"}


def by_hand(lines):
    """The same numbers from the raw lines; usage as the session itself sums it up at its end."""
    data = [(line["type"], line["data"]) for line in lines]
    (total,) = [d["accountingSnapshot"]["modelMetrics"].values() for type, d in data if type == "session.shutdown"]
    done = [d for type, d in data if type == "tool.execution_complete"]
    return {
        "calls": sum(type == "tool.execution_start" for type, _ in data),
        "results": len(done),
        "failed": sum(not d["success"] for d in done),
        "denied": 0,
        "turns": sum(type == "user.message" for type, _ in data),
        "tokens_in": sum(model["usage"]["inputTokens"] for model in total),
        "tokens_out": sum(model["usage"]["outputTokens"] for model in total),
    }


def test_counts_agree_with_the_raw_lines():
    stream, source = sample(NAME)
    assert by_hand(raw_lines(NAME)) == counts(stream)
    assert 0 == source.skipped


def test_a_session():
    stream, _ = sample(NAME)
    assert [0, 1, None, 0] == [result.exit_code for result in only(stream, events.ToolReturned)]
    assert [False, None, True, False] == [result.failed for result in only(stream, events.ToolReturned)]
    assert "Path does not exist" == only(stream, events.ToolReturned)[2].output
    assert ("fake-model", "/home/dev/proj", "copilot-cli") == (stream[0].model, stream[0].root, stream[0].program)
    assert ["please do it"] == [turn.text for turn in only(stream, events.UserSpoke)]
    assert all(event.at for event in stream)
    assert isinstance(stream[-1], events.RunEnded)


def test_calls_of_one_message_are_a_batch_and_are_told_once():
    asked = [{"toolCallId": id, "name": "bash", "arguments": {"command": id}} for id in "ab"]
    stream, _ = read(
        START,
        event("assistant.message", messageId="m1", content="", toolRequests=asked, model="m"),
        event("tool.execution_start", toolCallId="a", toolName="bash", arguments={}),
        event("tool.execution_complete", toolCallId="a", success=True, result={"content": "x"}),
        event("tool.execution_start", toolCallId="c", toolName="view", arguments={"path": "p"}),
    )
    assert [("a", "m1"), ("b", "m1"), ("c", None)] == [(c.call, c.batch) for c in only(stream, events.ToolCalled)]
    assert 1 == len(only(stream, events.RunStarted))


def test_refusals_and_compactions():
    error = {"message": "Denied by preToolUse hook", "code": "denied"}
    stream, _ = read(
        START,
        event("tool.execution_complete", toolCallId="a", success=False, error=error),
        event("session.compaction_start"),
        event("session.compaction_complete", success=True),
        event("session.compaction_complete", success=False),
    )
    (result,) = only(stream, events.ToolReturned)
    assert (True, True, "Denied by preToolUse hook") == (result.failed, result.denied, result.output)
    assert 1 == len(only(stream, events.ContextCompacted))


def test_sub_agents_are_named_after_the_call_that_sent_them():
    request = {"toolCallId": "x", "name": "view", "arguments": {}}
    stream, _ = read(START, event("assistant.message", parentToolCallId="task1", content="hm", toolRequests=[request]))
    assert {"", "task1"} == {event.agent for event in stream}
    assert ["task1"] == [call.agent for call in only(stream, events.ToolCalled)]


def test_what_cannot_be_read_is_skipped_and_counted():
    stream, source = read(START, event("flown.away"), {"type": "user.message", "data": 7}, event("hook.start"))
    assert (1, 2) == (len(stream), source.skipped)
