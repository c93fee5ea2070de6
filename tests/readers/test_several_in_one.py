"""Several recordings in one stream, as in `cat *.jsonl | headway scan -`: each session is a run of its own."""

import re

import pytest

from headway.core import events
from headway.readers import read, readers
from headway.sources import Source
from tests.readers.samples_read import SAMPLES, lines, only

ID = re.compile(rb"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
SESSIONS = (
    "codex/2025-09.jsonl", "codex/2026-11.jsonl", "codex-exec/run.jsonl", "copilot-cli/events.jsonl",
    "gemini-cli/session.jsonl", "qwen-code/chat.jsonl",
)  # fmt: skip


def stream(content):
    return list(read(Source(content=content)))


def another(content):
    """The same session under other ids."""
    return ID.sub(lambda id: id[0][:-1] + (b"1" if id[0].endswith(b"0") else b"0"), content)


@pytest.mark.parametrize("name", SESSIONS)
def test_one_after_the_other_is_the_same_as_each_by_itself(name):
    first = (SAMPLES / name).read_bytes().rstrip(b"\n") + b"\n"
    second = another(first)
    assert 2 == len({event.run for event in stream(first) + stream(second)})
    assert stream(first) + stream(second) == stream(first + second)


def test_older_and_newer_threads_of_codex_in_any_order():
    older, newer = [(SAMPLES / f"codex/{name}.jsonl").read_bytes() for name in ("2025-09", "2026-11")]
    assert stream(older) + stream(newer) == stream(older + b"\n" + newer)
    assert stream(newer) + stream(older) == stream(newer + b"\n" + older)


def test_claude_code_tells_program_and_model_of_both():
    first = (SAMPLES / "claude-code/headless.jsonl").read_bytes() + b"\n"
    started = only(stream(first + another(first)), events.RunStarted)
    runs = {event.run: (event.program, event.model) for event in started}
    assert 2 == len(runs) and 1 == len(set(runs.values()))


def meta(id, created, written, **more):
    payload = {"id": id, "timestamp": created, "cwd": f"/{id}", **more}
    return {"type": "session_meta", "timestamp": written, "payload": payload}


def said(text, at):
    content = [{"type": "input_text", "text": text}]
    return {
        "type": "response_item",
        "timestamp": at,
        "payload": {"type": "message", "role": "user", "content": content},
    }


@pytest.mark.parametrize(
    ("fork", "copied"),
    [({"forked_from_id": "a"}, "2026-01-01T09:00:00Z"), ({}, "2026-01-01T10:00:01Z")],
    ids=["with the times of the original", "with the times of the copy"],
)
def test_the_history_that_a_fork_of_codex_begins_with_is_its_own(fork, copied):
    """It holds the header of the thread it was copied from, and of that one's."""
    content = lines(
        meta("b", "2026-01-01T10:00:00Z", "2026-01-01T10:00:01Z", **fork),
        meta("a", "2026-01-01T09:00:00Z", copied, **({"forked_from_id": "0"} if fork else {})),
        meta("0", "2026-01-01T08:00:00Z", copied),
        said("one", copied),
        said("two", "2026-01-01T10:05:00Z"),
    )
    found = list(readers()["codex"].read(Source(content=content)))
    assert {"b"} == {event.run for event in found}
    assert ["one", "two"] == [event.text for event in only(found, events.UserSpoke)]
