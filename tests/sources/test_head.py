import gc
import json
import weakref

import pytest

from headway.sources import Head, Source
from headway.sources.head import GLANCE, SIZE

DOCUMENT = {"info": {"cost": 1.5, "names": ["a", "b"]}, "messages": [{"role": "user", "content": 'say "hi", {ok}'}]}


def test_the_first_object_of_json_lines():
    head = Head(b'\n{"a": 1}\n{"b": 2}\n')
    assert ({"a": 1}, [{"a": 1}, {"b": 2}]) == (head.first, head.records)


def test_lines_that_are_broken_are_passed_over():
    assert {"b": 2} == Head(b'{"a": tru\n{"b": 2}\n{"c"').first


@pytest.mark.parametrize("indent", [None, 2])
def test_a_document_is_known_from_any_beginning(indent):
    """Wherever the bytes end, what was whole before that can be looked at."""
    text = json.dumps(DOCUMENT, indent=indent).encode()
    assert DOCUMENT == Head(text).document
    for size in range(1, len(text)):
        assert isinstance(Head(text[:size]).document, dict)
    assert {"info": {"cost": 1.5, "names": ["a"]}} == Head(text[: text.index(b'"b"') + 2]).first
    assert {"info": DOCUMENT["info"], "messages": [{"role": "user"}]} == Head(text[: text.index(b"{ok}")]).first


@pytest.mark.parametrize("said", ['say "hi", {ok}', "C:\\", '[\\" \\\\ {', "a\\n,"])
def test_a_long_document_is_closed_like_a_short_one(said):
    """Two ways of closing it, one of them faster and for long ones only, see the same."""
    text = json.dumps({"start": "", **DOCUMENT, "said": [said, {"more": said}], "rest": []}, indent=1).encode()
    before = text.index(b'"",') + 1
    for size in range(before + 1, len(text)):
        long = text[:before] + b"x" * (SIZE - size) + text[before:]
        document = Head(long[:SIZE]).document
        assert "" == document.get("start", "").strip("x")
        assert Head(text[:size]).document == ({**document, "start": ""} if document else {})


def test_the_first_object_of_a_list():
    text = json.dumps([1, {"role": "user"}, {"role": "assistant"}], indent=1).encode()
    assert {"role": "user"} == Head(text).first
    assert [{"role": "user"}, {"role": "assistant"}] == Head(text).records
    assert [1, {"role": "user"}, {}] == Head(text[: text.index(b"assist")]).document


@pytest.mark.parametrize(
    "data", [b"", b" \n", b"# notes", b"\x00\xff", b"[" * 60_000, b"}", b'"text"', b"[]", b'{"a": \\']
)
def test_what_is_no_object_has_none(data):
    assert ({}, False, False) == (Head(data).first, Head(data).is_zip, Head(data).is_database)


def test_a_byte_order_mark_is_no_part_of_it():
    assert {"a": 1} == Head(b'\xef\xbb\xbf{"a": 1}').first


def test_a_document_over_several_lines_is_told_from_records():
    assert Head(json.dumps(DOCUMENT, indent=1).encode()).spans_lines
    assert not Head(json.dumps(DOCUMENT).encode()).spans_lines
    assert not Head(b'{"a": 1}\n{"b": 2}\n').spans_lines
    assert not Head(b"some\ntext").spans_lines


def test_what_several_readers_look_for_is_looked_up_once():
    looks = []

    def look(head):
        looks.append(head)
        return head.first["a"]

    head = Head(b'{"a": 7}')
    assert ([7, 7], [head]) == ([head.once(look), head.once(look)], looks)


def test_nothing_of_it_is_kept_once_it_was_looked_at():
    """Without waiting for the garbage collector, which has better things to do than to look through decoded heads."""
    head = Source(content=b'{"a": 1}').head()
    gone = weakref.ref(head)
    gc.disable()
    try:
        assert {"a": 1} == head.first
        del head
        assert gone() is None
    finally:
        gc.enable()


def test_a_glance_shows_the_first_record_or_what_a_long_document_begins_with():
    lines = b'{"a": 1}\n{"b": 2}\n'
    long = json.dumps({"a": 1, "b": ["x" * GLANCE] * 10}, indent=1).encode()
    assert [{"a": 1}] == Head(lines).glance().records
    assert {"a": 1, "b": []} == Head(long).glance().first
    assert [None] * 4 == [Head(data).glance() for data in (lines[:8], long[:GLANCE], b"# notes" * SIZE, b"")]
