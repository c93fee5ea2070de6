"""Tests by name: what became of them between two rounds, and what that is worth."""

import pytest

from headway import Measurements
from headway.core.iteration import FileChanges, SuiteChanges
from headway.loop.tracker import Tracker
from headway.scoring.quality import quality_score
from headway.scoring.suite import steadied, suite_changes
from headway.scoring.verdict import compare

M = Measurements


def named(passing=(), failing=(), skipped=(), **more):
    """A round whose runner names every test; each letter is one."""
    passing, failing, skipped = (tuple(f"m::{letter}" for letter in tests) for tests in (passing, failing, skipped))
    return M(
        test_count=len(passing + failing + skipped), tests_passed=len(passing), tests_failed=len(failing),
        tests_skipped=len(skipped), passing_tests=passing, failing_tests=failing, skipped_tests=skipped, **more,
    )  # fmt: skip


def failures(count, *failing, **more):
    """A round whose runner names only the failing tests."""
    return M(
        test_count=count, tests_passed=count - len(failing), tests_failed=len(failing), failing_tests=failing, **more
    )


def told(changes):
    """What became of which tests, without their module."""
    lists = {name: getattr(changes, name) for name in SuiteChanges.__struct_fields__}
    return {
        name: "".join(test.removeprefix("m::") for test in value) if isinstance(value, tuple) else value
        for name, value in lists.items()
        if value
    }


BEFORE = named("ab", "cd")


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (named("abc", "d"), {"fixed": "c"}),
        (named("b", "acd"), {"broken": "a", "lost": 1}),
        (named("bcd", "a"), {"fixed": "cd", "broken": "a", "lost": 1}),
        (named("abe", "cd"), {"new": "e"}),
        (named("ab", "cde"), {"new_failing": "e"}),
        (named("b", "cd"), {"gone": "a", "lost": 1}),
        (named("be", "cd"), {"gone": "a", "new": "e", "unsure": "a"}),
        (named("abxy"), {"gone": "cd", "new": "xy", "gone_failing": 2}),
        (named("ab", "d", "c"), {"silenced": "c"}),
        (named("b", "cd", "a"), {"silenced": "a"}),
        (BEFORE, {}),
    ],
    ids=["fixed", "broken", "both", "new", "new, failing", "dropped", "dropped or renamed", "swapped", "failing skipped",
         "passing skipped", "the same"],
)  # fmt: skip
def test_what_became_of_tests_that_are_all_named(now, expected):
    assert expected == told(suite_changes(now, BEFORE))


def test_a_test_in_another_file_is_the_same_test():
    moved = M(
        test_count=4, tests_passed=3, tests_failed=1, passing_tests=("n::a", "n::b", "n::c"), failing_tests=("n::d",),
        skipped_tests=(),
    )  # fmt: skip
    assert {"fixed": "n::c"} == told(suite_changes(moved, BEFORE))


def test_two_tests_of_one_name_cannot_be_followed():
    before = M(test_count=2, tests_passed=2, tests_failed=0, passing_tests=("x::a", "y::a"), failing_tests=())
    now = M(test_count=2, tests_passed=2, tests_failed=0, passing_tests=("z::a", "w::a"), failing_tests=())
    assert {"x::a", "y::a"} == set(suite_changes(now, before).unsure)


def test_a_file_that_cannot_be_loaded_has_broken_tests_and_no_deleted_ones():
    now = M(tests_passed=0, tests_failed=1, passing_tests=(), failing_tests=("m.py",))
    assert {"broken": "m.py", "lost": 1} == told(suite_changes(now, BEFORE))
    repaired = suite_changes(BEFORE, now)
    assert ((), 0) == (repaired.gone, repaired.lost)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (failures(4, "d"), {"fixed": "c"}),
        (failures(4, "a", "c", "d"), {"broken": "a", "lost": 1}),
        (failures(5, "a", "c", "d"), {"unsure": "a"}),
        (failures(9, "a", "c", "d", added_tests=()), {"broken": "a", "lost": 1}),
        (failures(9, "a", "c", "d", added_tests=("a",)), {"new_failing": "a"}),
        (failures(4, removed_tests=("c", "d")), {"gone": "cd", "gone_failing": 2}),
        (failures(3, "c"), {}),
        (failures(4, "c", skipped_tests=("d",)), {"silenced": "d"}),
    ],
    ids=["fixed", "broken", "broken or new", "known to be broken", "known to be new", "known to be gone",
         "fewer tests, and as many pass", "skipped"],
)  # fmt: skip
def test_what_became_of_tests_of_which_only_the_failing_ones_are_named(now, expected):
    assert expected == told(suite_changes(now, failures(4, "c", "d", skipped_tests=())))


def test_flaky_tests_say_nothing():
    now, before = named("b", "acd", flaky_tests=("m::a",)), BEFORE
    assert {} == told(suite_changes(now, before))
    assert ("plateau", False) == compare(now, before)
    steady, unchanged = steadied(now, before)
    assert (2, 2, ("m::c", "m::d")) == (steady.tests_passed, steady.tests_failed, steady.failing_tests)
    assert before == unchanged


@pytest.mark.parametrize(
    ("now", "verdict"),
    [
        (named("abc", "d"), ("forward", False)),
        (named("bcd", "a"), ("forward", True)),
        (named("bc", "ad"), ("regression", False)),
        (named("bcefgh", "ad"), ("regression", True)),
        (named("abxy"), ("regression", True)),
        (named("be", "cd"), ("plateau", False)),
        (named("ab", "cde"), ("plateau", True)),
        (M(tests_fault="killed after 600 s"), ("regression", False)),
        (M(), ("plateau", False)),
    ],
    ids=["fixed", "clear net gain", "as many broken", "broken behind new ones", "swapped", "renamed", "test first",
         "hanging", "not measured"],
)  # fmt: skip
def test_the_verdict_knows_tests_by_name(now, verdict):
    assert verdict == compare(now, BEFORE)


def test_the_exit_code_counts():
    green, red = named("ab", tests_exit_code=0), named("ab", tests_exit_code=1)
    assert green.all_passed and not red.all_passed and red.fails_outside_tests
    assert ("regression", False) == compare(red, green)
    assert ("forward", False) == compare(green, red)
    assert 1.0 == quality_score(green, None, {"pass_rate"}).value
    assert pytest.approx(2 / 3, abs=0.001) == quality_score(red, None, {"pass_rate"}).value
    assert not named("a", "b", tests_exit_code=1).fails_outside_tests


def test_swapping_tests_raises_no_quality():
    assert quality_score(named("abxy"), BEFORE).value < quality_score(named("abcd"), BEFORE).value


SOMETHING = FileChanges(lines=1, files={"a": "1"})


def handed_over(baseline, *rounds, **settings):
    tracker = Tracker("x", settings={"policy": settings})
    tracker.pre_loop(baseline)
    for measured in rounds:
        based_on = tracker.rounds[-1].recommendation.target_iteration
        tracker.post_iteration(measured, "words", changes=SOMETHING, based_on=based_on)
    return tracker, tracker.post_loop().selection.selected_iteration


def test_more_passing_tests_outweigh_lines_of_code():
    """One test fixed, then four more with a feature of 450 lines."""
    letters = "abcdefghijklmnopqrst"
    before, one, five = (
        named(letters[:n], letters[n:], loc_total=lines) for n, lines in ((10, 1000), (11, 1000), (15, 1450))
    )
    assert 2 == handed_over(before, one, five)[1]


def test_a_broken_test_is_kept_for_a_clear_gain_only_and_never_strictly():
    before, gain, swap = named("ab", "cdef"), named("bcd", "aef"), named("bc", "adef")
    assert 1 == handed_over(before, gain)[1]
    assert 0 == handed_over(before, swap)[1]
    tracker, selected = handed_over(before, gain, strict=True)
    assert (0, "rollback") == (selected, tracker.rounds[1].recommendation.action)


def test_a_round_that_was_taken_back_is_never_gone_back_to():
    before = named("ab", "cdef")
    tracker, _ = handed_over(before, named("bcd", "aef"), named("acde", "bf"), strict=True)
    assert [0, 0] == [one.recommendation.target_iteration for one in tracker.rounds[1:]]


def test_without_tests_there_is_no_quality_and_no_best_round():
    tracker, selected = handed_over(M(loc_total=9, lint_errors=0), M(loc_total=9, lint_errors=0))
    assert (None, None) == (tracker.rounds[1].iteration.quality, selected)
    assert tracker.rounds[1].best_iteration is None
    assert "No tests were measured, so no round can be called the best" == tracker.selection.rationale[0]
    assert not tracker.selection.acceptable


def test_where_all_tests_are_gone_all_of_their_names_are_known():
    """A runner that finds no tests names none; those that passed are gone as well as those that failed."""
    nothing = M(test_count=0, tests_passed=0, tests_failed=0, failing_tests=())
    assert {"gone": "cdab", "lost": 2, "gone_failing": 2} == told(suite_changes(nothing, BEFORE))


def test_a_test_that_was_flaky_and_fails_every_time_now_is_broken():
    flaky = named("ab", "cd", flaky_tests=("m::a",))
    assert {"broken": "a", "lost": 1} == told(suite_changes(named("b", "acd"), flaky))
    was_down = named("b", "acd", flaky_tests=("m::a",))
    assert {"broken": "a", "lost": 1} == told(suite_changes(named("b", "acd"), was_down))
    assert {} == told(suite_changes(named("b", "acd", flaky_tests=("m::a",)), flaky))
    assert {} == told(suite_changes(named("ab", "cd"), was_down))


def test_a_test_that_passes_only_as_rewritten_is_no_progress():
    rewritten = named("abc", "d", rewritten_tests=("m::a",))
    assert {"fixed": "c", "rewritten": "a"} == told(suite_changes(rewritten, BEFORE))
    assert ("plateau", True) == compare(rewritten, BEFORE)
    assert {} == told(suite_changes(rewritten, rewritten))
