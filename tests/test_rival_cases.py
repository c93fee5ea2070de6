"""The cases of other watchers' own test suites, judged by us: loops are told in the end, honest work hears nothing."""

import pytest

from tests.agent_calls import cases, watched
from tests.rival_cases.suites import ASKED, CASES, is_told

BY_NAME = {f"{case.suite}: {case.what}": case for case in CASES}
LOOPS = [name for name, case in BY_NAME.items() if case.judged == "loop" and not case.comes_later]
HONEST = [name for name, case in BY_NAME.items() if case.judged == "honest"]
LATER = [name for name, case in BY_NAME.items() if case.comes_later]
NOT_YET = (
    "OpenHands: a list and a file, over and over, the user says the same each time",
    "OpenHands: nine compactions in a row",
    "OpenHands: ten compactions in a row",
    "OpenHands: ten compactions, then “please continue”",
    "OpenHands: ten compactions, “please continue” in between",
    "agent-loop-guard: plan, search, read, write, three laps",
)
"""Judged wrong today: compactions and repeated prompts wait for a change of their own. Of the three laps, each tool's
output only names the tool, and a write without a file may have written another one each time."""


def of(names):
    return cases(names, [name for name in NOT_YET if name in names])


def test_every_case_is_named_once_and_judged_with_a_reason():
    assert len(CASES) == len(BY_NAME) == len(LOOPS) + len(HONEST) + len(LATER)
    assert all(case.why and {case.expected, case.judged} <= {"loop", "honest"} for case in CASES)
    assert set(NOT_YET) <= set(BY_NAME)


@pytest.mark.parametrize("name", of(LOOPS))
def test_a_loop_is_told_in_the_end(name):
    assert is_told(BY_NAME[name], continued=True)


@pytest.mark.parametrize("name", of(HONEST))
def test_honest_work_hears_nothing(name):
    assert [] == watched(BY_NAME[name].as_in_suite(), ASKED)


@pytest.mark.parametrize("name", of(LATER))
def test_compactions_and_repeated_prompts_are_told_in_the_end(name):
    assert is_told(BY_NAME[name], continued=True)


def test_nearly_all_loops_are_told_in_the_end():
    told = [name for name in LOOPS if is_told(BY_NAME[name], continued=True)]
    assert len(told) / len(LOOPS) >= 0.85
