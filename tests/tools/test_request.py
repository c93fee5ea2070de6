"""Requests of people, read for what Headway needs of them."""

import pytest

from headway.tools.request import speaks_of_tests


@pytest.mark.parametrize("text", ["Make the tests pass", "CI is red, build it", "test_login fails", "All green now."])
def test_tests_are_spoken_of(text):
    assert speaks_of_tests(text)


@pytest.mark.parametrize("text", ["Describe the parser", "Added the button. Done.", "the latest contest", ""])
def test_tests_are_not_spoken_of(text):
    assert not speaks_of_tests(text)
