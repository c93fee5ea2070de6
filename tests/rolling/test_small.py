"""The small rolling algorithms."""

from hypothesis import given
from hypothesis import strategies as st

from headway.rolling.bounded import count, push, put
from headway.rolling.cycle import sequence_similarity
from headway.rolling.similarity import text_similarity
from headway.rolling.text import clean, clip


@given(st.lists(st.integers()), st.integers(1, 5))
def test_a_bounded_list_keeps_the_latest(items, limit):
    kept: list[int] = []
    for item in items:
        push(kept, item, limit)
    assert items[-limit:] == kept


@given(st.lists(st.sampled_from("abcdef")), st.integers(1, 4))
def test_a_bounded_map_keeps_the_keys_used_last(keys, limit):
    kept: dict[str, int] = {}
    for place, key in enumerate(keys):
        put(kept, key, place, limit)
    latest = list(dict.fromkeys(reversed(keys)))[:limit]
    assert latest == list(reversed(kept))


def test_counting():
    counts: dict[str, int] = {}
    assert [1, 2, 1] == [count(counts, key, 10) for key in "aab"]


def test_rings_of_names_are_compared_as_rings():
    assert 1.0 == sequence_similarity(("a", "b", "c"), ("b", "c", "a"))
    assert 0.0 == sequence_similarity(("a", "b"), ("c", "d"))
    assert 0.0 < sequence_similarity(("a", "b", "c", "d"), ("a", "b", "c", "e")) < 1.0
    assert 1.0 == sequence_similarity((), ())


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_similarity_is_a_share_and_symmetric(one, other):
    share = sequence_similarity(one, other)
    assert 0.0 <= share <= 1.0
    assert share == sequence_similarity(other, one)


def test_texts():
    assert 1.0 == text_similarity("same", "same")
    assert text_similarity("def login", "def login(") > 0.9
    assert text_similarity("quaternion", "invoice") < 0.6


@given(st.text(st.characters(), max_size=300), st.integers(10, 100))
def test_clipping_keeps_head_and_tail(text, limit):
    clipped = clip(text, limit)
    assert clipped == text if len(text) <= limit else clipped.startswith(text[:6]) and clipped.endswith(text[-4:])


@given(st.text(st.characters(codec=None)))
def test_cleaned_text_can_be_written(text):
    clean(text).encode("utf-8")
    assert clean(clean(text)) == clean(text)
