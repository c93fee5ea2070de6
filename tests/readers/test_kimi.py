import pytest

from headway.core import events
from headway.readers import recordings_in
from tests.readers.samples_read import SAMPLES, lines, of, only, taken


@pytest.mark.parametrize("name", ["kimi/cli", "kimi/code.jsonl"])
def test_a_session(name):
    stream = taken(name)
    assert [False, False, True, False, True] == [result.failed for result in only(stream, events.ToolReturned)]
    assert [1] == [result.exit_code for result in only(stream, events.ToolReturned) if result.exit_code is not None]
    assert ["please fix add"] == [turn.text for turn in only(stream, events.UserSpoke)]
    assert [40] * 5 == [used.tokens_cached for used in only(stream, events.Used)]
    assert 4 == len({call.batch for call in only(stream, events.ToolCalled)})


def test_kimi_code_tells_its_model_and_folder():
    starts = only(taken("kimi/code.jsonl"), events.RunStarted)
    assert [(None, None), ("scripted", "/home/dev/proj")] == [(start.model, start.root) for start in starts]


def test_the_two_files_of_a_session_are_one_recording():
    assert ["cli", "code.jsonl"] == sorted(source.path.name for source in recordings_in(SAMPLES / "kimi"))


def wired(kind, **payload):
    return {"timestamp": 1, "message": {"type": kind, "payload": payload}}


def test_sub_agents_refusals_and_compactions():
    call = {"type": "function", "id": "d", "function": {"name": "Shell", "arguments": "{}"}}
    refused = {"is_error": True, "output": "", "message": "The tool call is rejected by the user."}
    stream, _ = of(
        lines(
            {"type": "metadata", "protocol_version": "1.8"},
            wired("TurnBegin", user_input=[{"type": "text", "text": "fix it"}]),
            wired("SubagentEvent", parent_tool_call_id="c", event={"type": "ToolCall", "payload": call}),
            wired("ToolResult", tool_call_id="x", return_value=refused),
            wired("CompactionEnd"),
        )
    )
    assert ["c"] == [asked.agent for asked in only(stream, events.ToolCalled)]
    assert [(True, True)] == [(result.failed, result.denied) for result in only(stream, events.ToolReturned)]
    assert 1 == len(only(stream, events.ContextCompacted))
