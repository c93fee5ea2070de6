"""Patterns that are compiled at first use."""

import re

import pytest

from headway.rolling.lazy import SOON, regex


def test_it_answers_like_a_compiled_pattern():
    lazy, compiled = regex(r"(?P<word>[a-z]+)(\d)?", re.IGNORECASE), re.compile(r"(?P<word>[a-z]+)(\d)?", re.IGNORECASE)
    text = "One2 two, THREE"

    assert compiled.findall(text) == lazy.findall(text)
    assert compiled.sub("-", text) == lazy.sub("-", text)
    assert compiled.split(text) == lazy.split(text)
    assert [m.span() for m in compiled.finditer(text)] == [m.span() for m in lazy.finditer(text)]
    assert lazy.match(text)["word"] == lazy.search(text, 0)["word"] == "One"
    assert lazy.fullmatch(text) is None and compiled.pattern == lazy.pattern and compiled.flags == lazy.flags


def test_a_mistake_in_a_pattern_shows_at_first_use():
    wrong = regex("(")

    with pytest.raises(re.error):
        wrong.search("x")


def test_a_pattern_with_words_is_not_compiled_while_no_text_has_one():
    wrong = regex("(", words=("fatal", "error"))

    assert wrong.match("all is well") is None and wrong.search("12 passed") is None
    with pytest.raises(re.error):
        wrong.search("An ERROR")


def test_a_pattern_with_words_finds_what_it_would_find_without():
    worded = regex("E: .+", words=("e: ",))

    assert worded.match("nothing") is None
    assert worded.match("E: no package")[0] == worded.search("and E: no package")[0] == "E: no package"


def test_a_pattern_with_words_is_compiled_after_a_few_texts():
    wrong = regex("(", words=("error",))

    for _ in range(SOON):
        assert wrong.match("all is well") is None
    with pytest.raises(re.error):
        wrong.match("all is well")
