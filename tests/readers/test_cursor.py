import shutil

import pytest

from headway.core import events
from headway.readers import NothingReadableError, opened
from headway.sources import Source
from tests.readers.samples_read import SAMPLES, only, taken

ID = "0b7c5b2e-6a52-4a6f-9f0e-1c6f1d0f9a11"


def test_a_transcript_has_calls_but_no_results():
    stream = taken("cursor/transcript.jsonl")
    assert ["Read", "Shell", "Shell", "StrReplace"] == [call.tool for call in only(stream, events.ToolCalled)]
    assert all("was not recorded" in result.output for result in only(stream, events.ToolReturned))
    assert 4 == len({result.output for result in only(stream, events.ToolReturned)})
    assert ["please fix add"] == [turn.text for turn in only(stream, events.UserSpoke)]


def test_a_database():
    stream = taken("cursor/store.sql")
    assert ("scripted", "cursor") == (stream[0].model, stream[0].program)
    assert ["please fix add"] == [turn.text for turn in only(stream, events.UserSpoke)]
    assert [("c1", "Read"), ("c2", "Shell"), ("c3", "Shell")] == [
        (call.call, call.tool) for call in only(stream, events.ToolCalled)
    ]
    assert "Exit code: 1" in only(stream, events.ToolReturned)[2].output


def test_what_is_printed():
    stream = taken("cursor/stream.jsonl")
    results = only(stream, events.ToolReturned)
    assert [False, False, True, True, True] == [result.failed for result in results]
    assert [None, 0, 1, None, None] == [result.exit_code for result in results]
    assert [False, False, False, False, True] == [result.denied for result in results]
    assert ["m1", "m1", "m2", "m3", "m4"] == [call.batch for call in only(stream, events.ToolCalled)]
    assert [(500, 200)] == [(used.tokens_in, used.tokens_cached) for used in only(stream, events.Used)]


def test_a_conversation_that_has_a_database_is_not_read_twice(tmp_path):
    path = tmp_path / "projects" / "proj" / "agent-transcripts" / ID / f"{ID}.jsonl"
    path.parent.mkdir(parents=True)
    shutil.copy(SAMPLES / "cursor/transcript.jsonl", path)
    assert ID == next(opened(Source(path))[1]).run
    store = tmp_path / "chats" / "hash" / ID / "store.db"
    store.parent.mkdir(parents=True)
    store.touch()
    with pytest.raises(NothingReadableError, match=r"store\.db has the same content$"):
        opened(Source(path))
