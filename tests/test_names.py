"""A slice of `bench/names.py`: the name of a tool decides neither that an honest look-up is stopped nor what is a loop."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "bench"))
from names import NAMES, NONE, look_ups, loop, told

CASES = [(name, NONE[place % len(NONE)]) for place, name in enumerate(NAMES)]


@pytest.mark.parametrize(("name", "none"), CASES)
@pytest.mark.parametrize("share", [0.0, 0.25])
def test_nothing_is_said_of_look_ups_of_which_most_find_nothing(name, none, share):
    assert {"continue"} == set(told(look_ups(name, none, share)))


@pytest.mark.parametrize(("name", "none"), CASES)
def test_the_same_look_up_again_and_again_is_told(name, none):
    assert told(loop(name, none))["nudge"]
