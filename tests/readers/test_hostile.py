"""Lines that are no records change nothing of what is read, and each of them is counted."""

import pytest

from headway.readers import read, reader_for
from headway.sources import Source
from tests.readers.counting import SAMPLES

LINES = sorted(path for path in SAMPLES.glob("*/*.jsonl"))
HOSTILE = {
    "half a record": b'{"type": "user", "mess',
    "deep nesting": b'{"type": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "not UTF-8": b'{"type": "\xff\xfe\xfa"}',
    "zeros": b"\0" * 5_000,
    "a list": b"[1, 2, 3]",
    "a number beyond everything": b"1" * 5_000,
    "text": b"Segmentation fault (core dumped)",
}


@pytest.mark.parametrize("path", LINES, ids=lambda path: path.parent.name + "/" + path.name)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_line_that_is_no_record_is_counted_and_changes_nothing(path, name):
    content = path.read_bytes().rstrip(b"\n")
    clean, spoilt = Source(path, content), Source(path, content + b"\n" + HOSTILE[name])
    reader = reader_for(clean)
    assert reader is reader_for(spoilt)
    assert list(read(clean, reader)) == list(read(spoilt, reader))
    assert clean.skipped < spoilt.skipped


@pytest.mark.parametrize("path", LINES, ids=lambda path: path.parent.name + "/" + path.name)
def test_a_recording_may_end_anywhere(path):
    """A program that is killed leaves half a line; what was whole before it is read."""
    content = path.read_bytes()
    reader = reader_for(Source(content=content))
    for end in range(0, len(content), max(1, len(content) // 40)):
        source = Source(content=content[:end])
        list(read(source, reader))
        assert source.skipped <= 1
