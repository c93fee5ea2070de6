from hypothesis import given
from hypothesis import strategies as st

from headway.rolling.bounded import Novelty


def test_new_lines_count_and_known_ones_do_not():
    novelty = Novelty()
    assert 1.0 == novelty.share("a\nb\nc\nd")
    assert 0.0 == novelty.share("d\nc\nb\na")
    assert 0.5 == novelty.share("a\nb\nx\ny")


def test_an_empty_text_has_nothing_new():
    assert 0.0 == Novelty().share("") == Novelty().share("\n \n\t")


def test_line_numbers_do_not_make_known_lines_new():
    novelty = Novelty()
    novelty.share("\n".join(f"{n:4} def f{'abcdef'[n]}():" for n in range(6)))
    assert 0.0 == novelty.share("\n".join(f"{n + 40:4} def f{'abcdef'[n]}():" for n in range(6)))


def test_in_a_short_answer_the_number_is_the_news():
    novelty = Novelty()
    assert [1.0, 1.0, 0.0] == [novelty.share(answer) for answer in ("42", "17", "42")]


def test_memory_is_bounded_and_keeps_what_was_seen_last():
    novelty = Novelty(limit=10)
    novelty.share("first")
    for n in range(100):
        novelty.share(f"line {n}")
    assert 10 == len(novelty.seen)
    assert 0.0 == novelty.share("line 99")
    assert 1.0 == novelty.share("first")


@given(st.text(st.characters(codec=None)))
def test_any_text_is_taken_and_known_afterwards(text):
    novelty = Novelty()
    assert 0.0 <= novelty.share(text) <= 1.0
    assert 0.0 == novelty.share(text)
