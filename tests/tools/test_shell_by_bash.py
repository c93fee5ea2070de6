"""What Headway reads in a shell command, judged by bash: one line of every cell of `bench/shell.py`."""

import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "bench"))
from shell import MOST_FALSE, cells, run
from shell_lines import CHANGING, CONSTRUCTS, IDLE


@pytest.fixture(scope="module")
def faults():
    lines = cells(len(CONSTRUCTS) * len({**CHANGING, **IDLE}), seed=36)
    results = run(lines)
    assert sum(one.changed for one in results) > len(CONSTRUCTS) * len(CHANGING) * 0.9
    return Counter(one.fault for one in results)


@pytest.mark.parametrize("kind", ["missed", "misnamed"])
def test_no_change_that_bash_makes_is_missed(faults, kind):
    assert 0 == faults[kind]


def test_no_line_that_is_to_change_nothing_changes_something(faults):
    assert 0 == faults["wrongly drawn"]


def test_lines_that_change_nothing_are_seldom_called_a_change(faults):
    assert faults["false"] <= MOST_FALSE * len(CONSTRUCTS) * len(IDLE)
