"""Two readers that recognise one recording: the one that reads something from it wins, and nothing is lost silently."""

import json

import pytest

from headway.core import events
from headway.readers import NothingReadableError, UnknownFormatError, opened, read, readers
from headway.sources import Source
from tests.readers.samples_read import SAMPLES, counts, lines, taken

DROID = lines(
    {"type": "system", "subtype": "init", "session_id": "s1", "cwd": "/proj", "model": "claude-opus-4-8"},
    {"type": "message", "role": "user", "id": "m1", "text": "list files", "timestamp": 1762517060000, "session_id": "s1"},
    {"type": "tool_call", "id": "c1", "toolId": "Execute", "toolName": "Execute", "parameters": {"command": "ls"}, "session_id": "s1"},
    {"type": "tool_result", "id": "c1", "toolId": "Execute", "isError": False, "value": "a.py", "session_id": "s1"},
    {"type": "completion", "finalText": "Done.", "numTurns": 2, "durationMs": 3000, "session_id": "s1"},
)  # fmt: skip
"""What `droid exec --output-format stream-json` prints: its first line could be one of Claude Code's."""


class Claims:
    """A reader that recognises everything; what it reads is given."""

    title = "whatever"

    def __init__(self, name, *found):
        self.name, self.found = name, found

    def recognises(self, head):
        return True

    def read(self, source):
        source.skip(f"not for {self.name}")
        yield from self.found


@pytest.fixture
def all_claim(monkeypatch):
    def put(*claiming):
        monkeypatch.setattr("headway.readers._by_kind", lambda: (list(claiming), []))

    return put


def without_provenance():
    """A session as Qwen Code 0.18 wrote it: records have no `provenance`."""
    records = [json.loads(line) for line in (SAMPLES / "qwen-code/chat.jsonl").read_bytes().splitlines()]
    return [{name: value for name, value in record.items() if name != "provenance"} for record in records]


def test_a_qwen_session_without_provenance_is_read_as_one():
    reader, stream = opened(Source(content=lines(*without_provenance())))
    assert "qwen-code" == reader.name
    assert counts(taken("qwen-code/chat.jsonl")) == counts(list(stream))


@pytest.mark.parametrize("first", range(3))
def test_whichever_record_of_a_qwen_session_comes_first_only_its_reader_claims_it(first):
    head = Source(content=lines(*without_provenance()[first:])).head()
    for look in (head, head.glance()):
        assert ["qwen-code"] == [name for name, reader in readers().items() if reader.recognises(look)]


def test_the_first_that_reads_something_wins(all_claim):
    spoke = events.UserSpoke(text="hi")
    all_claim(Claims("empty"), Claims("begins", events.RunStarted()), Claims("reads", spoke), Claims("later", spoke))
    source = Source(content=b"{}")
    reader, stream = opened(source)
    assert ("reads", ["hi"]) == (reader.name, [event.text for event in stream])
    assert (1, "not for reads") == (source.skipped, source.first_fault)


def test_what_a_run_begins_with_is_not_lost(all_claim):
    all_claim(Claims("reads", events.RunStarted(model="m"), events.UserSpoke(text="hi")))
    assert [events.RunStarted, events.UserSpoke] == [type(event) for event in read(Source(content=b"{}"))]


def test_where_none_reads_anything_the_first_says_why(all_claim):
    all_claim(Claims("one", events.RunStarted()), Claims("two"))
    with pytest.raises(
        NothingReadableError, match=r"-: recognised as one, but 1 of its records could not be read, and .*; not for one"
    ):
        opened(Source(content=b"{}"))


def test_a_reader_that_was_asked_for_is_the_only_one():
    with pytest.raises(NothingReadableError, match="read as codex, but 5 of its records could not be read"):
        opened(Source(content=DROID), "codex")


def test_a_recognised_recording_with_nothing_in_it_is_not_an_unknown_one():
    content = lines({"type": "summary", "summary": "Fix it", "leafUuid": "u1"})
    with pytest.raises(
        NothingReadableError, match="recognised as claude-code, but nothing that was said or done is in it"
    ):
        opened(Source(content=content))
    with pytest.raises(UnknownFormatError):
        opened(Source(content=b'{"a": 1}'))


def test_the_stream_of_droid_is_nobody_elses():
    """Headway has no reader for it, and says so instead of reading nothing from it as Claude Code's."""
    with pytest.raises(UnknownFormatError, match="not a recording that Headway knows"):
        opened(Source(content=DROID))


def test_the_beginning_of_a_claude_stream_is_still_known():
    init = {
        "type": "system",
        "subtype": "init",
        "cwd": "/p",
        "session_id": "s",
        "tools": [],
        "mcp_servers": [],
        "permissionMode": "default",
    }
    with pytest.raises(NothingReadableError, match="recognised as claude-code, but nothing that was said or done"):
        opened(Source(content=lines(init)))
