import json

from headway.core import events
from headway.readers.gemini_stream import GeminiStream
from headway.sources import Source
from tests.readers.counting import counts, only, raw_lines, sample

NAME = "gemini-stream/run.jsonl"
INIT = {"type": "init", "timestamp": "2026-01-01T00:00:00Z", "session_id": "s", "model": "m"}


def read(*records, before=b""):
    source = Source(content=before + b"\n".join(json.dumps(record).encode() for record in records))
    assert GeminiStream().recognises(source.head())
    return list(GeminiStream().read(source)), source


def test_counts_agree_with_the_raw_lines():
    lines = raw_lines(NAME)
    (stats,) = [line["stats"] for line in lines if line["type"] == "result"]
    results = [line for line in lines if line["type"] == "tool_result"]
    expected = {
        "calls": stats["tool_calls"],
        "results": len(results),
        "failed": sum(line["status"] == "error" for line in results),
        "denied": sum("DENY-BEFORE" in line["output"] for line in results),
        "turns": sum(line.get("role") == "user" for line in lines),
        "tokens_in": stats["input_tokens"],
        "tokens_out": stats["output_tokens"],
    }
    stream, source = sample(NAME)
    assert expected == counts(stream)
    assert 0 == source.skipped
    assert ["please do it"] == [turn.text for turn in only(stream, events.UserSpoke)]
    assert ["CTX-START"] == [advised.text for advised in only(stream, events.Advised)]
    assert "success" == stream[-1].outcome


def test_a_message_in_pieces_is_one():
    pieces = [{"type": "message", "role": "assistant", "content": text, "delta": True} for text in ("all ", "do", "ne")]
    stream, _ = read(INIT, *pieces)
    assert ["all done"] == [said.text for said in only(stream, events.AgentSpoke)]


def test_calls_before_a_result_are_a_batch():
    call = [{"type": "tool_use", "tool_name": "run_shell_command", "tool_id": id, "parameters": {}} for id in "abc"]
    back = [{"type": "tool_result", "tool_id": id, "status": "success", "output": "x"} for id in "ab"]
    stream, _ = read(INIT, call[0], call[1], *back, call[2])
    assert ["0", "0", "2"] == [event.batch for event in only(stream, events.ToolCalled)]
    assert [None, None] == [event.failed for event in only(stream, events.ToolReturned)]


def test_what_is_printed_beside_it_is_skipped_and_counted():
    stream, source = read(INIT, {"type": "flown"}, before=b"Loaded cached credentials.\n")
    assert (1, 2) == (len(stream), source.skipped)
