"""Files that hold one JSON document, or one on each line."""

import json
from typing import Any

import pytest
from msgspec import Raw, Struct

from headway.shapes.values import UNREAD, amount, decoded, inside, number, values
from headway.sources import Source, packed


def found(content):
    source = Source(content=content)
    return list(values(source)), source.skipped


@pytest.mark.parametrize(
    ("content", "expected", "skipped"),
    [
        (b'{"a": 1}', [{"a": 1}], 0),
        (b'{\n "a": 1\n}\n', [{"a": 1}], 0),
        (b"[1,\n2]", [[1, 2]], 0),
        (b'\xef\xbb\xbf{"a": 1}\n{"a": 2}', [{"a": 1}, {"a": 2}], 0),
        (b'{half\n{"a": 2}\n{"a"', [{"a": 2}], 2),
        (b'\n\n{"a": 1}\n\n', [{"a": 1}], 0),
        (b"", [], 0),
        (b"not json\nat all", [], 2),
    ],
)
def test_a_document_or_lines(content, expected, skipped):
    assert (expected, skipped) == found(content)


def test_a_document_on_one_line_may_be_longer_than_lines_are(monkeypatch):
    monkeypatch.setattr(packed, "LONGEST", 50)
    long = json.dumps(["x" * 100]).encode()
    assert ([["x" * 100]], 0) == found(long)
    assert ([], 2) == found(long + b"\n" + long)


class Named(Struct):
    """A record of which only the name is of interest."""

    name: Any = None
    rest: Raw = UNREAD


def test_what_is_decoded_as_something_else_is_decoded_no_further():
    content = b'{"name": "a", "rest": {"b": 1}, "c": "\xff"}\n{"rest": "\xff"}\n{"name": "d"}'
    source = Source(content=content)
    first, second, third = values(source, Named)
    assert ("a", {"b": 1}) == (first.name, inside(first.rest, source))
    assert (None, 0) == (inside(third.rest, source), source.skipped)
    assert (None, 1) == (inside(second.rest, source), source.skipped)
    assert source.first_fault.startswith("'utf-8' codec can't decode")  # and no line: all of them have been read


@pytest.mark.parametrize("odd", [None, "", "x", [], {}, float("inf"), float("nan"), -5, "1e999", True and "nan"])
def test_what_is_no_number_counts_as_nothing(odd):
    assert (0, 0.0) == (number(odd), amount(odd))


def test_numbers_may_be_texts_and_json_may_be_a_text():
    assert (12, 0.5) == (number("12"), amount("0.5"))
    assert [{"a": 1}, "{half", " plain", 7] == [decoded(value) for value in ('{"a": 1}', "{half", " plain", 7)]
