import json

import pytest

from headway.core import events
from headway.readers.codex import Codex
from headway.readers.codex_exec import CodexExec
from headway.sources import Source
from tests.readers.counting import counts, only, raw_lines, sample

META = {"type": "session_meta", "payload": {"id": "t1", "cwd": "/w"}}


def item(type, **payload):
    return {"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": {"type": type, **payload}}


def event(type, **payload):
    return {"type": "event_msg", "payload": {"type": type, **payload}}


def read(*records, reader=Codex):
    source = Source(content=b"\n".join(json.dumps(record).encode() for record in records))
    return list(reader().read(source)), source


def by_hand(lines):
    """The same numbers from the raw lines, as jq would count them."""
    payloads = [line["payload"] for line in lines]
    totals = [p["info"] for p in payloads if p.get("type") == "token_count" and p["info"]]
    used = [info["last_token_usage"] for info in totals]
    return {
        "calls": sum(p.get("type") == "function_call" for p in payloads),
        "results": sum(p.get("type") == "function_call_output" for p in payloads),
        "failed": 0,  # nobody says it; it follows from the exit codes
        "denied": sum("blocked by PreToolUse" in str(p.get("output")) for p in payloads),
        "turns": sum(
            p.get("type") == "user_message" or (p.get("item") or {}).get("type") == "UserMessage" for p in payloads
        ),
        "tokens_in": sum(usage["input_tokens"] for usage in used),
        "tokens_out": sum(usage["output_tokens"] for usage in used),
    }


@pytest.mark.parametrize("name", ["codex/2025-09.jsonl", "codex/2026-11.jsonl"])
def test_counts_agree_with_the_raw_lines(name):
    stream, source = sample(name)
    assert by_hand(raw_lines(name)) == counts(stream)
    assert 0 == source.skipped


def test_exit_codes_agree_with_what_older_versions_told_the_model():
    stream, _ = sample("codex/2025-09.jsonl")
    told = [
        line["payload"]["output"]
        for line in raw_lines("codex/2025-09.jsonl")
        if line["payload"].get("type") == "function_call_output"
    ]
    wrapped, (plain,) = [json.loads(text) for text in told[:-1]], told[-1:]
    results = only(stream, events.ToolReturned)
    assert [result["metadata"]["exit_code"] for result in wrapped] + [1] == [result.exit_code for result in results]
    assert [result["output"] for result in wrapped] + [plain] == [result.output for result in results]
    assert "sandbox denied exec error, exit code: 1" in plain


def test_a_session_of_today():
    stream, _ = sample("codex/2026-11.jsonl")
    assert [0, 1, None] == [result.exit_code for result in only(stream, events.ToolReturned)]
    assert ["please do it"] == [turn.text for turn in only(stream, events.UserSpoke)]
    advice = ["CTX-START", "CTX-PROMPT", "NUDGE-PRE", "NUDGE-POST", "STOP-BLOCK"]
    assert advice == [advised.text for advised in only(stream, events.Advised)]
    assert ("gpt-5", "/home/dev/proj", "codex") == (stream[1].model, stream[1].root, stream[1].program)
    assert all(event.at for event in stream)


def test_what_the_user_asked_comes_without_what_the_editor_adds():
    stream, _ = sample("codex/2025-09.jsonl")
    for turn in only(stream, events.UserSpoke):
        assert turn.text and "Context from my IDE" not in turn.text


def test_the_oldest_files_have_bare_items():
    text = [{"type": "input_text", "text": "hello"}]
    records = [
        {"id": "t0", "timestamp": "2025-05-01T00:00:00Z", "instructions": None},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": text},
        {"type": "reasoning", "summary": []},
        {"type": "local_shell_call", "call_id": "c1", "action": {"type": "exec", "command": ["ls"]}},
        {"type": "function_call_output", "call_id": "c1", "output": '{"output":"a.py","metadata":{"exit_code":0}}'},
    ]
    stream, source = read(*records)
    assert ["hello"] == [turn.text for turn in only(stream, events.UserSpoke)]
    assert [("local_shell", ["ls"])] == [(call.tool, call.args["command"]) for call in only(stream, events.ToolCalled)]
    assert [("a.py", 0)] == [(result.output, result.exit_code) for result in only(stream, events.ToolReturned)]
    assert ({"t0"}, 0) == ({event.run for event in stream}, source.skipped)
    assert Codex().recognises(Source(content=b"\n".join(json.dumps(r).encode() for r in records)).head())


def test_calls_without_a_result_in_between_are_a_batch():
    call = [item("function_call", name="shell", arguments="{}", call_id=f"c{n}") for n in range(4)]
    output = [item("function_call_output", output="x", call_id=f"c{n}") for n in range(4)]
    hook = item("message", role="developer", content=[])
    stream, _ = read(META, call[0], hook, call[1], output[1], output[0], call[2], output[2], call[3])
    batches = [event.batch for event in only(stream, events.ToolCalled)]
    assert batches[0] == batches[1]
    assert 3 == len(set(batches))


def test_arguments_in_any_shape():
    stream, source = read(
        META,
        item("function_call", name="a", arguments='{"x": 1}', call_id="1"),
        item("function_call", name="b", arguments='{"x": ', call_id="2"),
        item("custom_tool_call", name="apply_patch", input="*** Begin Patch", call_id="3"),
        item("web_search_call", id="4", action={"type": "search", "query": "q"}),
        item("function_call", name="c", call_id="5"),
    )
    args = [call.args for call in only(stream, events.ToolCalled)]
    patch, search = {"input": "*** Begin Patch"}, {"type": "search", "query": "q"}
    assert [{"x": 1}, {"input": '{"x": '}, patch, search, {"input": None}] == args
    assert 0 == source.skipped


def test_results_in_any_shape():
    stream, _ = read(
        META,
        item("function_call_output", call_id="1", output={"content": "no", "success": False}),
        item("function_call_output", call_id="2", output=[{"type": "input_text", "text": "seen"}]),
        item("function_call_output", call_id="3", output="exec command rejected by user"),
        event("item_completed", item={"type": "FileChange", "id": "4", "status": "failed"}),
        item("custom_tool_call_output", call_id="4", output="no such hunk"),
        event("exec_command_end", call_id="5", exit_code=7),
        item("function_call_output", call_id="5", output="text"),
    )
    results = only(stream, events.ToolReturned)
    assert ["no", "seen", "exec command rejected by user", "no such hunk", "text"] == [r.output for r in results]
    assert [True, None, None, True, None] == [r.failed for r in results]
    assert [False, False, True, False, False] == [r.denied for r in results]
    assert [None, None, None, None, 7] == [r.exit_code for r in results]


def test_a_compaction_is_told_once():
    stream, _ = read(META, {"type": "compacted", "payload": {"message": "…"}}, event("context_compacted"))
    assert 1 == len(only(stream, events.ContextCompacted))


def test_usage_that_is_shown_again_is_not_used_again():
    def count(total, last):
        return event(
            "token_count",
            info={"total_token_usage": {"input_tokens": total}, "last_token_usage": {"input_tokens": last}},
        )

    stream, _ = read(META, event("token_count", info=None), count(10, 10), count(10, 10), count(15, 5), count(3, 3))
    assert [10, 5, 3] == [used.tokens_in for used in only(stream, events.Used)]


def test_a_sub_agents_thread_belongs_to_its_session():
    stream, _ = read(
        {"type": "session_meta", "payload": {"id": "child", "session_id": "root", "cwd": "/w"}},
        {"type": "session_meta", "payload": {"id": "root", "session_id": "root", "cwd": "/w"}},
        item("message", role="assistant", content="hi"),
    )
    assert {("root", "child")} == {(event.run, event.agent) for event in stream}


def test_unknown_kinds_and_wrong_types_are_skipped_and_counted():
    stream, source = read(
        META, item("flown"), {"type": "new", "payload": {}}, item("message", role=7), event("anything")
    )
    assert (1, 3) == (len(stream), source.skipped)
    assert "line 2: unknown item 'flown'" == source.first_fault


def test_the_output_of_codex_exec():
    name = "codex-exec/run.jsonl"
    stream, source = sample(name)
    lines = raw_lines(name)
    done = [line["item"] for line in lines if line["type"] == "item.completed"]
    commands = [item for item in done if item["type"] == "command_execution"]
    usage = next(line["usage"] for line in lines if line["type"] == "turn.completed")
    assert [item["command"] for item in commands] == [call.args["command"] for call in only(stream, events.ToolCalled)]
    assert [item["exit_code"] for item in commands] == [
        result.exit_code for result in only(stream, events.ToolReturned)
    ]
    assert [i["text"] for i in done if i["type"] == "agent_message"] == [
        e.text for e in only(stream, events.AgentSpoke)
    ]
    assert (usage["input_tokens"], usage["output_tokens"]) == (
        counts(stream)["tokens_in"],
        counts(stream)["tokens_out"],
    )
    assert 0 == source.skipped


def test_other_items_of_codex_exec():
    def done(**item):
        return {"type": "item.completed", "item": item}

    stream, source = read(
        done(
            id="1",
            type="mcp_tool_call",
            server="s",
            tool="t",
            arguments={"a": 1},
            error={"message": "no"},
            status="failed",
        ),
        done(id="2", type="file_change", changes=[{"path": "a.py", "kind": "add"}], status="completed"),
        done(id="3", type="web_search", query="q"),
        {"type": "turn.failed", "error": {"message": "out of tokens"}},
        {"type": "turn.flown"},
        reader=CodexExec,
    )
    calls, results = only(stream, events.ToolCalled), only(stream, events.ToolReturned)
    assert [("mcp__s__t", {"a": 1}), ("web_search", {"query": "q"})] == [(c.tool, c.args) for c in (calls[0], calls[2])]
    assert ["a.py"] == [change["path"] for change in calls[1].args["changes"]]
    assert [("no", True), ("", None), ("", None)] == [(r.output, r.failed) for r in results]
    assert 1 == source.skipped
