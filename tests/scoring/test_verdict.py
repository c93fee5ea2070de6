"""What two rounds say about each other, above all where one of them did not measure everything."""

import pytest

from headway import Measurements
from headway.core.iteration import Iteration, Score
from headway.scoring.suite import known_tests, suite_changes
from headway.scoring.verdict import compare, deltas, is_stalled

M = Measurements
COUNTED = M(test_count=8, tests_passed=6, tests_failed=2)
SUMMED = M(tests_passed=6, tests_failed=2)
"""No number of all tests: where files of tests cannot be loaded, nobody knows how many are in them."""


def named(*failing, **more):
    return M(failing_tests=failing, **more)


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (M(test_count=5), M(test_count=6), ("forward", False)),
        (M(test_count=100, tests_passed=90), M(test_count=100, tests_passed=91), ("forward", False)),
        (M(test_count=100, tests_passed=91), M(test_count=100, tests_passed=90), ("regression", False)),
        (M(coverage_percentage=82.0), M(coverage_percentage=84.0), ("plateau", False)),
        (M(coverage_percentage=82.0), M(coverage_percentage=80.0), ("plateau", False)),
        (M(coverage_percentage=50.0), M(test_count=5), ("plateau", False)),
        (M(build_status="success"), M(), ("plateau", False)),
        (M(), M(build_status="success"), ("plateau", False)),
        (M(test_count=10, tests_passed=5, tests_failed=5), M(test_count=5, tests_passed=5, tests_failed=0),
         ("regression", True)),
    ],
    ids=["one test more", "one more passes", "one less passes", "two points more", "two points less", "other things",
         "no build now", "no build before", "failing tests deleted"],
)  # fmt: skip
def test_the_smallest_difference_that_counts(before, now, expected):
    assert expected == compare(now, before)


@pytest.mark.parametrize(
    ("now", "before", "broken"),
    [(named("b", "a"), named("a"), ("b",)), (named("a"), M(), None), (M(), named("a"), None), (M(), M(), None)],
)
def test_which_tests_broke_is_known_by_their_names(now, before, broken):
    changes = suite_changes(now, before)
    assert broken == (None if changes is None else changes.broken)


@pytest.mark.parametrize(
    ("measured", "count"),
    [
        (M(tests_passed=4, tests_failed=2, tests_skipped=1), 7),
        (M(tests_passed=4), 4),
        (M(tests_failed=2), 2),
        (M(tests_skipped=1), 1),
        (M(test_count=9, tests_passed=4), 9),
    ],
)
def test_there_are_at_least_as_many_tests_as_had_a_result(measured, count):
    assert count == known_tests(measured)


@pytest.mark.parametrize(
    ("before", "now", "delta"),
    [
        (COUNTED, M(test_count=9), 1),
        (SUMMED, M(test_count=9), 1),
        (named(test_count=8), named(tests_passed=5, tests_failed=0), None),
        (named("a", tests_passed=6, tests_failed=2), named("a", tests_passed=5, tests_failed=2), -1),
        (named("a", tests_passed=6, tests_failed=2), named("b", tests_passed=5, tests_failed=2), None),
        (SUMMED, M(tests_passed=5, tests_failed=2), None),
        (named(tests_passed=6, tests_failed=0), named(), None),
        (M(), COUNTED, None),
    ],
    ids=["counted", "counted now", "no longer counted", "nothing broke", "something broke", "who knows what broke",
         "not measured now", "not measured before"],
)  # fmt: skip
def test_tests_are_counted_where_files_of_tests_could_be_loaded(before, now, delta):
    assert delta == deltas(now, before).test_count_delta


SKIPS = M(test_count=8, tests_skipped=3)


@pytest.mark.parametrize(
    ("before", "now", "delta"),
    [
        (COUNTED, M(test_count=8, tests_passed=5, tests_failed=0), -3),
        (COUNTED, SKIPS, -3),
        (SKIPS, COUNTED, 3),
        (COUNTED, M(test_count=8, tests_passed=5), None),
        (M(test_count=8, tests_passed=5), COUNTED, None),
        (COUNTED, M(tests_passed=5, tests_failed=0), None),
    ],
    ids=["by results", "by skips", "by skips before", "not told now", "not told before", "not counted"],
)
def test_tests_that_run_are_counted_where_it_is_told_who_was_skipped(before, now, delta):
    assert delta == deltas(now, before).tests_run_delta


def standing(*coverage, verdicts=("plateau",) * 3, mixed=False):
    return [
        Iteration(number=n, verdict=verdict, mixed=mixed, quality=Score(0.8), measured=M(coverage_percentage=percent))
        for n, (percent, verdict) in enumerate(zip(coverage, verdicts, strict=True), 1)
    ]


def test_rounds_that_stand_still_are_a_stall():
    assert is_stalled(standing(80.0, 80.0, 80.0))
    assert is_stalled(standing(80.0, 80.0, 80.0, verdicts=("plateau", "plateau", "stalled")))


def test_steps_too_small_for_one_round_add_up():
    assert not is_stalled(standing(80.0, 81.5, 82.5))


def test_a_round_that_went_back_or_was_mixed_did_not_stand_still():
    assert not is_stalled(standing(80.0, 80.0, 80.0, verdicts=("plateau", "regression", "plateau")))
    assert not is_stalled(standing(80.0, 80.0, 80.0, mixed=True))


def test_only_errors_that_both_rounds_measured_are_judged():
    both, lint = M(lint_errors=3, type_errors=9), M(lint_errors=3)
    assert ("plateau", False) == compare(lint, both) == compare(both, lint)
    assert "regression" == compare(M(lint_errors=4), both)[0]
    assert compare(M(type_errors=0), M(lint_errors=3)) == compare(M(error_count=0), both) == ("plateau", False)
