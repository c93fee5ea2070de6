import json
from pathlib import Path

import pytest

from headway.core import events
from headway.readers import numbered
from headway.readers import read as read_source
from headway.readers.claude_code import ClaudeCode
from headway.sources import Source
from tests.readers.counting import counts, only, raw_lines, sample

SAMPLE = Path(__file__).parent.parent / "recordings" / "claude-code-fasthooks.jsonl"


def line(kind, uuid, parent, content=None, **more):
    record = {"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s1", "cwd": "/work"}
    if content is not None:
        record["message"] = {"role": kind, "content": content, **more.pop("message", {})}
    return {**record, **more}


def read(*records):
    source = Source(content=b"\n".join(json.dumps(record).encode() for record in records))
    return list(numbered(ClaudeCode().read(source))), source


def tool_use(id, name="Bash", **input):
    return {"type": "tool_use", "id": id, "name": name, "input": input}


def test_the_sample_is_read_whole():
    source = Source(SAMPLE)
    stream = list(read_source(source))

    calls = [event for event in stream if isinstance(event, events.ToolCalled)]
    assert ["Bash", "Write", "Read", "Bash", "Write"] == [call.tool for call in calls][:5]
    assert 10 == len(calls) == sum(isinstance(event, events.ToolReturned) for event in stream)
    assert 1 == sum(isinstance(event, events.ContextCompacted) for event in stream)
    assert {"c45af7b1-cb7c-4e51-93db-8cbb250a877a"} == {event.run for event in stream}
    assert list(range(1, len(stream) + 1)) == [event.seq for event in stream]
    assert ("/workspace", "claude-code") == (stream[0].root, stream[0].program)


def test_calls_of_one_message_are_a_batch_and_its_usage_counts_once():
    usage = {"input_tokens": 10, "cache_read_input_tokens": 5, "output_tokens": 3}
    message = {"id": "m1", "model": "claude-x", "usage": usage}
    stream, _ = read(
        line("user", "u1", None, "please"),
        line("assistant", "a1", "u1", [tool_use("t1", command="ls")], message=message),
        line("assistant", "a2", "a1", [tool_use("t2", command="pwd")], message=message),
    )
    assert ["m1", "m1"] == [event.batch for event in stream if isinstance(event, events.ToolCalled)]
    assert [(15, 3)] == [(e.tokens_in, e.tokens_out) for e in stream if isinstance(e, events.Used)]
    assert ["claude-x"] == [e.model for e in stream if isinstance(e, events.RunStarted) and e.model]


def test_results_carry_failure_denial_and_hits():
    def result(id, **more):
        return [{"type": "tool_result", "tool_use_id": id, "content": "x", **more}]

    stream, _ = read(
        line("user", "u1", None, result("t1", is_error=True)),
        line("user", "u2", "u1", result("t2"), toolDenialKind="user"),
        line("user", "u3", "u2", result("t3"), toolUseResult={"filenames": [], "numFiles": 0}),
        line(
            "user",
            "u4",
            "u3",
            [{"type": "tool_result", "tool_use_id": "t4", "content": [{"type": "text", "text": "a"}]}],
        ),
    )
    results = [event for event in stream if isinstance(event, events.ToolReturned)]
    assert [True, False, False, False] == [event.failed for event in results]
    assert [False, True, False, False] == [event.denied for event in results]
    assert [None, None, 0, None] == [event.hits for event in results]
    assert "a" == results[3].output


def test_machine_text_is_not_the_user():
    stream, _ = read(
        line("user", "u1", None, "real words"),
        line("user", "u2", "u1", "Stop hook feedback: no", isMeta=True),
        line("user", "u3", "u2", "This session is continued…", isCompactSummary=True),
        line("user", "u4", "u3", "<command-name>/clear</command-name>"),
        line("user", "u5", "u4", [{"type": "text", "text": "[Request interrupted by user]"}]),
    )
    assert ["real words"] == [event.text for event in stream if isinstance(event, events.UserSpoke)]


def test_a_rewound_branch_is_left_out():
    """A prompt that was taken back stays in the file; only what was gone on with counts."""
    stream, _ = read(
        line("user", "u1", "u0", "first try"),
        line("assistant", "a1", "u1", [tool_use("t1")]),
        line("user", "u2", "a1", [{"type": "tool_result", "tool_use_id": "t1", "content": "x"}]),
        line("user", "u3", "u0", "second try"),
        line("assistant", "a3", "u3", [tool_use("t3")]),
    )
    assert ["second try"] == [event.text for event in stream if isinstance(event, events.UserSpoke)]
    assert ["t3"] == [event.call for event in stream if isinstance(event, events.ToolCalled)]


def test_sub_agents_are_kept_apart():
    stream, _ = read(
        line("user", "u1", None, "main"),
        line("assistant", "a1", None, [tool_use("t1")], isSidechain=True, agentId="helper"),
    )
    assert ["", "helper"] == [event.agent for event in stream if not isinstance(event, events.RunStarted)]
    assert [1, 2, 1, 2] == [event.seq for event in stream]


def test_our_own_nudges_are_read_back():
    attachment = {"type": "hook_additional_context", "content": ["careful"]}
    stream, _ = read(line("attachment", "x1", None, attachment=attachment))
    assert ["careful"] == [event.text for event in stream if isinstance(event, events.Advised)]


def test_what_cannot_be_read_is_skipped_and_counted():
    good = json.dumps(line("user", "u1", None, "hello")).encode()
    bad = [b"{half a li", b"[1, 2]", b"\xff\xfe", json.dumps({"type": "assistant", "message": "?"}).encode()]
    source = Source(content=b"\n".join([good, *bad, good[:40]]))

    stream = list(ClaudeCode().read(source))
    assert ["hello"] == [event.text for event in stream if isinstance(event, events.UserSpoke)]
    assert 5 == source.skipped


def test_records_of_unknown_kinds_are_skipped_and_counted():
    """What stands beside the conversation, without a place in its tree, is passed over; anything else may be a loss."""
    stream, source = read(
        {"type": "brand-new-note", "sessionId": "s"},
        {"type": "brand-new", "sessionId": "s", "uuid": "x"},
        line("user", "u1", None, "hello"),
    )
    assert 2 == len(stream)
    assert (1, "line 2: unknown type 'brand-new'") == (source.skipped, source.first_fault)


def test_words_beside_a_result_are_the_hosts():
    """A reminder that a host puts beside a tool result is not a new turn of the user."""
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "x"}
    stream, source = read(
        line("user", "u1", None, [result, {"type": "text", "text": "<system-reminder>be nice</system-reminder>"}]),
    )
    assert [] == [event for event in stream if isinstance(event, events.UserSpoke)]
    assert 0 == source.skipped


def by_hand(records):
    """The same numbers from the raw records, as jq would count them."""
    blocks = [
        (r, b)
        for r in records
        if isinstance((r.get("message") or {}).get("content"), list)
        for b in r["message"]["content"]
    ]
    results = [(r, b) for r, b in blocks if b["type"] == "tool_result"]
    usage = {}
    for r in records:
        if r["type"] == "assistant":
            usage[r["message"]["id"]] = r["message"]["usage"]  # the last line of a message knows it all
    return {
        "calls": sum(b["type"] == "tool_use" for _, b in blocks),
        "results": len(results),
        "failed": sum(b.get("is_error") is True for _, b in results),
        "denied": sum("hook error: DENY" in str(b["content"]) for _, b in results),
        "turns": sum(
            r["type"] == "user"
            and isinstance(r["message"]["content"], str)
            and not r.get("isMeta")
            and not r.get("isCompactSummary")
            and not r["message"]["content"].startswith(("<command-name", "<local-command"))
            for r in records
        ),
        "tokens_in": sum(
            u["input_tokens"] + u["cache_creation_input_tokens"] + u["cache_read_input_tokens"] for u in usage.values()
        ),
        "tokens_out": sum(u["output_tokens"] for u in usage.values()),
    }


@pytest.mark.parametrize(
    "name", ["claude-code/headless.jsonl", "claude-code/stream.jsonl", "../../recordings/claude-code-fasthooks.jsonl"]
)
def test_counts_agree_with_the_raw_records(name):
    stream, source = sample(name)
    assert by_hand(raw_lines(name)) == counts(stream)
    assert 0 == source.skipped


def test_a_headless_session_as_kept_and_as_streamed():
    for name, turns in (("headless", ["please do it"]), ("stream", [])):
        stream, _ = sample(f"claude-code/{name}.jsonl")
        assert turns == [event.text for event in only(stream, events.UserSpoke)]
        assert [None, 1, None, None] == [event.exit_code for event in only(stream, events.ToolReturned)]
        assert 0.0036 == pytest.approx(sum(event.cost_usd for event in only(stream, events.Used)))
        advice = [event.text for event in only(stream, events.Advised)]
        assert ["CTX-START", "CTX-PROMPT", "NUDGE-POST: stop repeating"] == advice[:3]
        assert {"BLOCK-POST: read already known", "STOP-BLOCK: tests not run"} < set(advice)
        assert all(event.at for event in stream if isinstance(event, events.ToolCalled | events.ToolReturned))
    assert "success" == stream[-1].outcome


def prompts(stream):
    return [event.text for event in only(stream, events.UserSpoke) if event.starts_turn]


def test_the_conversation_is_the_branch_that_ends_last():
    """Going back to a branch that was left before makes it the conversation again."""
    branch = [line("user", "u0", None, "start"), line("user", "p1", "u0", "one"), line("user", "p2", "u0", "two")]
    assert ["start", "two"] == prompts(read(*branch)[0])
    assert ["start", "one", "three"] == prompts(read(*branch, line("user", "p3", "p1", "three"))[0])


def test_a_branch_before_a_compaction_is_told_by_the_logical_parent():
    boundary = {
        "type": "system",
        "subtype": "compact_boundary",
        "uuid": "b",
        "parentUuid": None,
        "logicalParentUuid": "p2",
    }
    stream, _ = read(
        line("user", "u0", None, "start"),
        line("user", "p1", "u0", "one"),
        line("user", "p2", "u0", "two"),
        boundary,
        line("user", "s", "b", "This session is being continued", isCompactSummary=True),
        line("user", "p3", "s", "three"),
    )
    assert ["start", "two", "three"] == prompts(stream)
    assert 1 == len(only(stream, events.ContextCompacted))


def test_results_of_parallel_calls_stay_though_nothing_follows_them():
    def result(uuid, parent, id):
        return line("user", uuid, parent, [{"type": "tool_result", "tool_use_id": id, "content": "x"}])

    stream, _ = read(
        line("user", "u0", None, "start"),
        line("assistant", "a1", "u0", [tool_use("t1")], message={"id": "m"}),
        line("assistant", "a2", "a1", [tool_use("t2")], message={"id": "m"}),
        result("r1", "a1", "t1"),
        result("r2", "a2", "t2"),
        line("assistant", "a3", "r2", [{"type": "text", "text": "done"}]),
    )
    assert ["t1", "t2"] == [event.call for event in only(stream, events.ToolReturned)]


def test_a_record_that_stands_there_twice_counts_once():
    twice = line("user", "u0", None, "hello")
    assert ["hello", "again"] == prompts(read(twice, twice, line("user", "u1", "u0", "again"))[0])


def test_parents_that_go_in_circles_do_no_harm():
    assert 2 == len(prompts(read(line("user", "a", "b", "one"), line("user", "b", "a", "two"))[0]))


def test_side_chains_without_a_name_are_told_apart_by_their_first_record():
    stream, _ = read(
        line("user", "root-one", None, "look", isSidechain=True),
        line("user", "root-two", None, "find", isSidechain=True),
        line("assistant", "a1", "root-one", [tool_use("t1")], isSidechain=True),
        line("assistant", "a2", "root-two", [tool_use("t2")], isSidechain=True),
        line("assistant", "a3", "a1", [tool_use("t3")], isSidechain=True),
    )
    calls = {event.call: event.agent for event in only(stream, events.ToolCalled)}
    assert {"t1": "sidechain-root-one", "t2": "sidechain-root-two", "t3": "sidechain-root-one"} == calls


def test_a_later_line_of_a_message_may_know_more_of_its_usage():
    def part(uuid, out):
        return line(
            "assistant", uuid, None, [], message={"id": "m", "usage": {"input_tokens": 7, "output_tokens": out}}
        )

    stream, _ = read(line("user", "u", None, "go"), part("a", 1), part("b", 1), part("c", 40), part("d", 40))
    assert [(7, 1), (0, 39)] == [(event.tokens_in, event.tokens_out) for event in only(stream, events.Used)]


def test_what_the_user_typed():
    """A command that stands for a prompt is a turn; one that Claude Code carries out itself is not."""
    command = "<command-message>fix is running…</command-message>\n<command-name>/fix</command-name>\n<command-args>#12</command-args>"
    queued = {"type": "queued_command", "prompt": "also the docs", "commandMode": "prompt"}
    stream, _ = read(
        line("user", "u1", None, command),
        line(
            "user",
            "u2",
            "u1",
            [{"type": "text", "text": "<ide_opened_file>a.py"}, {"type": "text", "text": "see here"}],
        ),
        line("attachment", "u3", "u2", attachment=queued),
        line("attachment", "u4", "u3", attachment={**queued, "commandMode": "task-notification"}),
        line("user", "u5", "u4", "<bash-input>ls</bash-input>"),
    )
    assert ["/fix #12", "see here", "also the docs"] == prompts(stream)


def test_errors_of_the_service_are_not_the_agents_words():
    message = {"id": "m", "model": "<synthetic>", "usage": {"input_tokens": 0}}
    stream, _ = read(line("assistant", "a", None, [{"type": "text", "text": "API Error: overloaded"}], message=message))
    assert [] == stream


@pytest.mark.parametrize(
    "text",
    [
        "The user doesn't want to proceed with this tool use. The tool use was rejected",
        "Claude requested permissions to write to a.py, but you haven't granted it yet.",
        "Permission to use Bash with command rm has been denied.",
        "PreToolUse:Bash hook error: no",
    ],
)
def test_refusals_of_older_versions_are_known_by_their_words(text):
    result = {"type": "tool_result", "tool_use_id": "t1", "content": text}
    for is_error in (True, False):
        stream, _ = read(line("user", "u", None, [{**result, "is_error": is_error}]))
        assert [is_error] == [event.denied for event in only(stream, events.ToolReturned)]


def test_qwen_code_prints_the_same_stream():
    said = {"type": "assistant", "session_id": "s", "message": {"id": "m", "content": [{"type": "text", "text": "hi"}]}}
    stream, _ = read({"type": "system", "subtype": "init", "session_id": "s", "qwen_code_version": "0.24.4"}, said)
    assert "qwen-code" == stream[0].program
