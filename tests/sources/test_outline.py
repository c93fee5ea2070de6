"""A document with long texts cut short holds the same names and lists, wherever the pieces it is read in end."""

import io
import json

import pytest

from headway.readers import reader_for
from headway.sources import Source
from headway.sources.outline import FARTHEST, KEPT, KEPT_VALUE, MOST_TOKENS, outline

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


MESSAGES = [
    {"role": "user", "content": "list the files"},
    {"role": "assistant", "content": "ls", "extra": {"actions": [{"command": "ls"}]}},
    {"role": "user", "content": "a.py", "extra": {"raw_output": "a.py", "returncode": 0}},
]
LONG_VALUES = {
    "text": '+ line \\ " \n' * 60_000,
    "texts": ["+ a line of a patch"] * 40_000,
    "objects": [{"path": f"src/{n}.py", "lines": [n, n + 1]} for n in range(20_000)],
    "numbers": list(range(200_000)),
    "names": {f"src/{n}.py": "changed" for n in range(30_000)},
    "deep": [[[[n]]] for n in range(30_000)],
}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("name", LONG_VALUES)
def test_a_format_is_recognised_behind_a_value_of_any_length(name, indent):
    document = {"info": {"exit_status": "Submitted", "submission": LONG_VALUES[name]}, "messages": MESSAGES}
    document["trajectory_format"] = "mini-swe-agent-1"
    content = json.dumps(document, indent=indent).encode()
    assert len(content) > 200_000
    assert "mini-swe-agent" == reader_for(Source(content=content)).name


@pytest.mark.parametrize("size", [1, 7, 501, 1 << 20])
def test_what_is_kept_of_a_long_value_is_json_and_so_is_the_rest(size):
    document = {"before": 1, "long": {"list": [{"n": n} for n in range(5_000)], "lost": 2}, "after": [3, "four"]}
    kept = outline(InPieces(json.dumps(document).encode(), size), 10**6)
    found = json.loads(kept)
    assert list(document) == list(found) and (1, [3, "four"]) == (found["before"], found["after"])
    assert found["long"]["list"] == document["long"]["list"][: len(found["long"]["list"])]
    assert KEPT_VALUE <= len(kept) < KEPT_VALUE + 1_000


@pytest.mark.slow
def test_no_more_brackets_are_gone_through_than_a_second_or_two_allow():
    endless = io.BytesIO(b'{"a":' + b"[" * 9_000 + b"[],1," * MOST_TOKENS)
    outline(endless, 10**6)
    assert endless.tell() < 5 * MOST_TOKENS
