import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.rolling.cycle import repeating_tail, repetitions_of_tail


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("ABABAB", 2),
        ("xyABABAB", 2),
        ("ABABA", None),
        ("ABCABCABC", 3),
        ("AAAAAA", None),
        ("AABAABAAB", 3),
        ("BAAABAAABAAA", 4),
        ("ABCDEF", None),
        ("", None),
        ("ABABABABABAB", 2),
    ],
)
def test_finds_the_shortest_primitive_block(keys, expected):
    assert expected == repeating_tail(keys, repetitions=3, min_length=2)


def test_one_repetition_is_any_primitive_block():
    assert [1, 2, 3] == [repeating_tail("ABC", repetitions=1, min_length=length) for length in (1, 2, 3)]
    assert repeating_tail("ABC", repetitions=1, min_length=4) is None


def test_length_one_is_found_when_it_is_allowed():
    assert 1 == repeating_tail("xAAA", repetitions=3)


@given(st.text("AB", min_size=1, max_size=5), st.integers(2, 5), st.text("XY", max_size=4))
def test_a_planted_block_is_always_found(block, times, before):
    """Whatever stands before it, and whatever the block: a repeated tail is seen, in its primitive form."""
    keys = before + block * times
    length = repeating_tail(keys, repetitions=times)

    assert length is not None and length <= len(block)
    assert keys.endswith(keys[-length:] * times)


def test_counts_whole_repetitions():
    assert 4 == repetitions_of_tail("xABABABAB", 2)
    assert 1 == repetitions_of_tail("ABC", 2)
