"""Decides whether a round went forward, stood still or went back.

Only what both rounds measured is compared. A regression is checked first, then an improvement; everything else is a
plateau, which is *mixed* if some measurements got better and others worse. Changes of pass rate and coverage within two
points do not count.
"""

from collections.abc import Sequence

from headway.core.iteration import Deltas, Iteration, Measurements, SuiteChanges, Verdict
from headway.scoring.suite import known_tests, steadied, suite_changes

NO_CHANGE = 2.0
"""Points of pass rate or coverage that do not count as a change."""
PASS_RATE_DROP, COVERAGE_DROP = 5.0, 2.0
"""A drop by this many points is a regression."""
GOOD_PASS_RATE = 90.0
"""From this percentage on, a lower pass rate does not prevent a round from going forward."""
EXACT = 9
"""Number of digits to which differences are rounded before they are judged."""
STALL_ROUNDS, STALL_RANGE = 3, 0.02
"""The number of plateaus in a row, and the range of quality in them, that make a stall."""
STALL_PROGRESS = 0.45
"""The minimum progress score of a round that does not stand still. New words alone give at most 0.43."""


def deltas(now: Measurements, before: Measurements, digits: int = 1) -> Deltas:
    """The differences between two rounds. Points are rounded for display. Flaky tests do not count."""
    now, before = steadied(now, before)
    suite = suite_changes(now, before)
    return Deltas(
        test_count_delta=_tests_delta(now, before, suite),
        tests_run_delta=_run_delta(now, before, suite),
        tests_silenced=_silenced(now, before, suite),
        tests_passed_delta=_minus(now.tests_passed, before.tests_passed),
        pass_rate_delta=_points(now.pass_rate, before.pass_rate, digits),
        coverage_delta=_points(now.coverage_percentage, before.coverage_percentage, digits),
        error_count_delta=now.errors_since(before),
        file_count_delta=_minus(now.file_count, before.file_count),
        loc_delta=_relative(now.loc_total, before.loc_total),
        complexity_delta=_relative(now.complexity_score, before.complexity_score),
        suite=suite,
    )


def lost_tests(now: Measurements, before: Measurements) -> int:
    """The number of working tests that were lost: by id if known, otherwise by number."""
    suite = suite_changes(now, before)
    if suite is not None:
        return suite.lost
    return max(0, (before.tests_passed or 0) - now.tests_passed) if now.tests_passed is not None else 0


def cannot_run(now: Measurements, before: Measurements) -> bool:
    """Check whether tests gave results before, and now ran without a result."""
    return now.tests_passed is None and now.tests_fault is not None and before.tests_passed is not None


def fails_outside_now(now: Measurements, before: Measurements) -> bool:
    """Check whether the test command succeeded before and now fails although no test fails."""
    return before.tests_exit_code == 0 and before.all_passed and now.fails_outside_tests


def only_new_tests_fail(now: Measurements, before: Measurements) -> int:
    """The number of new tests that fail, if every working test still works; 0 if not, or if unknown."""
    suite = suite_changes(now, before)
    if suite is not None:
        return len(suite.new_failing) if _only_new_ones_fail(suite) else 0
    tests, passed = _minus(now.test_count, before.test_count), _minus(now.tests_passed, before.tests_passed)
    failed = _minus(now.tests_failed, before.tests_failed)
    if tests is None or passed is None or failed is None:
        return 0
    return failed if 0 < failed <= tests and passed >= 0 else 0


def broke_tests(change: Deltas) -> bool:
    """Check whether working tests were lost, without many more having been fixed."""
    if change.suite is None:
        return (change.tests_passed_delta or 0) < 0
    return change.suite.lost > 0 and not change.suite.is_clear_gain


def fewer_tests(change: Deltas) -> bool:
    """Check whether tests were deleted or skipped. Both hide failures."""
    fewer = (change.test_count_delta or 0) < 0 or (change.tests_run_delta or 0) < 0
    return fewer or bool(change.tests_silenced) or (change.suite is not None and change.suite.gone_failing > 0)


def compare(now: Measurements, before: Measurements) -> tuple[Verdict, bool]:
    """The verdict about a round compared with another, and whether it is mixed."""
    change = deltas(now, before, EXACT)
    build = _build_change(now, before)
    better = [*_improvements(change), *(["build"] if build > 0 else [])]
    better += ["exit code"] if before.fails_outside_tests and now.all_passed else []
    if worse_in(now, before):
        return "regression", bool(better)
    fails_outside = now.fails_outside_tests and not before.fails_outside_tests
    if better and not (_passes_less(change, now.pass_rate) or _may_have_lost(change.suite) or fails_outside):
        return "forward", change.suite is not None and change.suite.lost > 0
    # an improvement that came with a lower pass rate, a test that may be lost, or a failing command
    return "plateau", bool(better)


def worse_in(now: Measurements, before: Measurements) -> list[str]:
    """The measurements that got so much worse that the round is a regression."""
    change = deltas(now, before, EXACT)
    lower_rate = (change.pass_rate_delta or 0.0) < -PASS_RATE_DROP and not _only_new_ones_fail(change.suite)
    signs = {
        "the number of tests that run": fewer_tests(change),
        "working tests": broke_tests(change) or cannot_run(now, before),
        "the exit code of the test command": fails_outside_now(now, before),
        "the pass rate": lower_rate,
        "coverage": (change.coverage_delta or 0.0) < -COVERAGE_DROP,
        "the number of errors": (change.error_count_delta or 0) > 0,
        "the build": _build_change(now, before) < 0,
    }
    return [name for name, is_so in signs.items() if is_so]


def is_stalled(rounds: Sequence[Iteration], count: int = STALL_ROUNDS, progress: float = STALL_PROGRESS) -> bool:
    """Check whether the last `count` rounds stood still: plateaus with the same quality and no improvement.

    This is unknown if nothing is measured that could improve. Work that shows in files and output is not standing
    still, whatever the numbers say.
    """
    last = [one for one in rounds if one.number > 0][-count:]
    if len(last) < count or any(one.verdict not in ("plateau", "stalled") or one.mixed for one in last):
        return False
    if not all(is_judged(one.measured) for one in last):
        return False
    if any(one.progress is not None and one.progress.value >= progress for one in last):
        return False
    values = [one.quality.value for one in last if one.quality is not None]
    flat = not values or round(max(values) - min(values), EXACT) < STALL_RANGE
    return flat and not _improvements(deltas(last[-1].measured, last[0].measured, EXACT))


def stalled_for(rounds: Sequence[Iteration], count: int = STALL_ROUNDS, progress: float = STALL_PROGRESS) -> int:
    """How many of the last rounds stood still in a row; 0 if fewer than `count` did."""
    if not is_stalled(rounds, count, progress):
        return 0
    while is_stalled(rounds, count + 1, progress):
        count += 1
    return count


def is_judged(measured: Measurements) -> bool:
    """Check whether anything was measured that a round can improve or worsen."""
    return bool(judged_by(measured))


def judged_by(*rounds: Measurements) -> list[str]:
    """What was measured in all of these rounds and can get better or worse, and the minimum change that counts."""
    points = f"by more than {NO_CHANGE:g} points"
    aside = " (flaky ones aside)" if any(measured.flaky_tests for measured in rounds) else ""
    parts = list(rounds[0].error_parts)
    known: dict[str, list[object]] = {
        "the number of tests": [measured.test_count for measured in rounds],
        f"the number of passing tests{aside}": [measured.tests_passed for measured in rounds],
        f"the pass rate {points}": [measured.pass_rate for measured in rounds],
        f"coverage {points}": [measured.coverage_percentage for measured in rounds],
        "the number of errors": [one.errors if list(one.error_parts) == parts else None for one in rounds],
        "the build": [measured.build_status for measured in rounds],
    }
    return [name for name, values in known.items() if None not in values]


def _only_new_ones_fail(suite: SuiteChanges | None) -> bool:
    """Check whether a lower pass rate is due to new tests. Writing the test first is not a regression."""
    return suite is not None and bool(suite.new_failing) and not suite.lost and not suite.unsure


def _may_have_lost(suite: SuiteChanges | None) -> bool:
    return suite is not None and bool(suite.unsure or suite.rewritten) and not suite.is_clear_gain


def _build_change(now: Measurements, before: Measurements) -> int:
    """1 if the build was repaired, -1 if it was broken."""
    if now.build_status is None or before.build_status is None:
        return 0
    return (now.build_status == "success") - (before.build_status == "success")


def _improvements(change: Deltas) -> list[str]:
    signs = {
        "tests": (change.test_count_delta or 0) > 0,
        "passed": (change.tests_passed_delta or 0) > 0,
        "pass rate": (change.pass_rate_delta or 0.0) > NO_CHANGE,
        "coverage": (change.coverage_delta or 0.0) > NO_CHANGE,
        "errors": (change.error_count_delta or 0) < 0,
    }
    return [name for name, is_so in signs.items() if is_so]


def _passes_less(change: Deltas, pass_rate: float | None) -> bool:
    """The one measurement that can get worse without being a regression."""
    return (change.pass_rate_delta or 0.0) < -NO_CHANGE and (pass_rate or 0.0) < GOOD_PASS_RATE


def _tests_delta(now: Measurements, before: Measurements, suite: SuiteChanges | None) -> int | None:
    """How the number of tests changed; None if a test file can no longer be loaded."""
    if not _is_counted(now) or not _is_counted(before):
        return None
    nothing_new_fails = suite is not None and not (suite.broken or suite.unsure or suite.new_failing)
    if now.test_count is None and (before.test_count is not None or not nothing_new_fails):
        return None
    return known_tests(now) - known_tests(before)


def _run_delta(now: Measurements, before: Measurements, suite: SuiteChanges | None) -> int | None:
    """How the number of tests that run changed; None if their number or the skipped tests are unknown."""
    if _tests_delta(now, before, suite) is None or not _is_told(now) or not _is_told(before):
        return None
    return _minus(now.tests_run, before.tests_run)


def _silenced(now: Measurements, before: Measurements, suite: SuiteChanges | None) -> int | None:
    """The number of tests that ran before and are skipped now; None if ids are unknown."""
    if suite is None or now.skipped_tests is None or before.skipped_tests is None:
        return None
    return len(suite.silenced)


def _is_told(measured: Measurements) -> bool:
    results = (measured.tests_passed, measured.tests_failed)
    return None not in results or None not in (measured.test_count, measured.tests_skipped)


def _is_counted(measured: Measurements) -> bool:
    return measured.test_count is not None or None not in (measured.tests_passed, measured.tests_failed)


def _minus(now: int | None, before: int | None) -> int | None:
    return None if now is None or before is None else now - before


def _points(now: float | None, before: float | None, digits: int) -> float | None:
    return None if now is None or before is None else round(now - before, digits)


def _relative(now: float | None, before: float | None) -> float | None:
    return None if now is None or not before else round((now - before) / before, 4)
