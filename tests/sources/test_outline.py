"""A document with long texts cut short holds the same names and lists, wherever the pieces it is read in end."""

import io
import json

import pytest

from headway.sources import Source
from headway.sources.outline import FARTHEST, KEPT, outline

DOCUMENT = {
    "short": "a \"quoted\" word \\ and a line\n",
    "long": "é😀\\\"\n" * 1_000,
    "inside": [{"deep": "x" * 10_000, "n": 1.5e3}, None, True, {"k" * 2_000: []}],
    "last": "\\" * 3_001,
}  # fmt: skip


def shape(value):
    if isinstance(value, dict):
        return {name[:20]: shape(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [shape(inner) for inner in value]
    return "text" if isinstance(value, str) else value


class InPieces(io.BytesIO):
    """A file that gives a few bytes at a time."""

    def __init__(self, content, size):
        super().__init__(content)
        self.size = size

    def read(self, most=-1):
        return super().read(self.size)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 501, 1 << 20])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_names_and_lists_stay(size, ascii_only):
    content = json.dumps(DOCUMENT, ensure_ascii=ascii_only).encode()
    short = outline(InPieces(content, size), 10**6)
    assert shape(DOCUMENT) == shape(json.loads(short))
    assert len(short) < 6 * (KEPT + 100) < len(content)


def test_no_more_than_was_asked_for_is_kept_or_gone_through():
    assert len(outline(io.BytesIO(b'["a","b",' * 100_000), 1_000)) < 2_000
    endless = io.BytesIO(b'["' + b"x" * (FARTHEST + 10_000_000))
    assert 2 == len(outline(endless, 1_000)) and endless.tell() < FARTHEST + 1_000_000


@pytest.mark.parametrize("content", [b'{"a": 1}\n' * 20_000, b'{"a": 1}', b"text " * 20_000, b""])
def test_only_a_document_that_goes_on_has_one(content):
    source = Source(content=content)
    assert source.outline(source.head()) is None
