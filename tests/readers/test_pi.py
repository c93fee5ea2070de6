from headway.core import events
from tests.readers.samples_read import lines, of, only, taken

NAME = "pi/session.jsonl"
START = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/w"}


def entry(id, parent, role, content, **more):
    message = {"role": role, "content": content, **more}
    return {"type": "message", "id": id, "parentId": parent, "timestamp": "2026-01-01T00:00:01Z", "message": message}


def test_a_session():
    stream = taken(NAME)
    assert ["/home/dev/proj"] * 2 == [start.root for start in only(stream, events.RunStarted)]
    assert [None, "scripted"] == [start.model for start in only(stream, events.RunStarted)]
    assert ["please fix add"] == [turn.text for turn in only(stream, events.UserSpoke)]
    assert [False, False, True, False, True] == [result.failed for result in only(stream, events.ToolReturned)]
    assert 1 == len({call.batch for call in only(stream, events.ToolCalled)[:2]})
    assert [40] * 5 == [used.tokens_cached for used in only(stream, events.Used)]
    assert all(event.at for event in stream)


def test_an_abandoned_branch_is_left_out():
    said = [{"type": "text", "text": "no"}]
    stream, source = of(
        lines(
            START,
            entry("1", None, "user", "first"),
            entry("2", "1", "assistant", said),
            entry("3", "1", "user", "second"),
            entry("4", "3", "assistant", [{"type": "text", "text": "yes"}]),
        )
    )
    assert ["first", "second"] == [turn.text for turn in only(stream, events.UserSpoke)]
    assert 0 == source.skipped


def test_a_compaction_is_told_and_paid_for():
    usage = {"input": 7, "output": 1, "cost": {"total": 0.5}}
    compaction = {"type": "compaction", "id": "2", "parentId": "1", "timestamp": "2026-01-01T00:00:02Z", "usage": usage}
    stream, _ = of(lines(START, entry("1", None, "user", "fix it"), compaction))
    assert 1 == len(only(stream, events.ContextCompacted))
    assert [(7, 0.5)] == [(used.tokens_in, used.cost_usd) for used in only(stream, events.Used)]


def test_an_unknown_entry_is_skipped_and_counted():
    assert 1 == of(lines(START, entry("1", None, "user", "fix it"), {"type": "flown", "id": "2"}))[1].skipped
