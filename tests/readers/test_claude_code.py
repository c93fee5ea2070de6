import json
from pathlib import Path

from headway.core import events
from headway.readers import numbered
from headway.readers import read as read_source
from headway.readers.claude_code import ClaudeCode
from headway.sources import Source

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


def test_unknown_records_do_not_matter():
    stream, source = read({"type": "brand-new", "sessionId": "s"}, line("user", "u1", None, "hello"))
    assert 2 == len(stream)
    assert 0 == source.skipped


def test_words_beside_a_result_are_the_hosts():
    """A reminder that a host puts beside a tool result is not a new turn of the user."""
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "x"}
    stream, source = read(
        line("user", "u1", ["odd"], [result, {"type": "text", "text": "<system-reminder>be nice</system-reminder>"}]),
    )
    assert [] == [event for event in stream if isinstance(event, events.UserSpoke)]
    assert 0 == source.skipped
