"""Patterns that are compiled at first use."""

import re

import pytest

from headway.rolling.regex import regex


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
