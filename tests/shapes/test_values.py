"""Files that hold one JSON document, or one on each line."""

import json

import pytest

from headway.shapes.values import amount, decoded, number, records, values
from headway.sources import Source, lines


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
    monkeypatch.setattr(lines, "LONGEST", 50)
    long = json.dumps(["x" * 100]).encode()
    assert ([["x" * 100]], 0) == found(long)
    assert ([], 2) == found(long + b"\n" + long)


def test_records_are_found_in_lists_under_names_and_on_lines():
    def kept(content):
        return [record["n"] for record in records(Source(content=content), "runs", "data")]

    assert [1, 2] == kept(b'[{"n": 1}, 7, {"n": 2}]')
    assert [1, 2] == kept(b'{"data": [{"n": 1}, {"n": 2}]}')
    assert [1, 2, 3] == kept(b'{"n": 1}\n{"runs": [{"n": 2}, {"n": 3}]}')


@pytest.mark.parametrize("odd", [None, "", "x", [], {}, float("inf"), float("nan"), -5, "1e999", True and "nan"])
def test_what_is_no_number_counts_as_nothing(odd):
    assert (0, 0.0) == (number(odd), amount(odd))


def test_numbers_may_be_texts_and_json_may_be_a_text():
    assert (12, 0.5) == (number("12"), amount("0.5"))
    assert [{"a": 1}, "{half", " plain", 7] == [decoded(value) for value in ('{"a": 1}', "{half", " plain", 7)]
