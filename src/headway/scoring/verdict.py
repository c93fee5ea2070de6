"""Seed 003: did a round go forward, stand still, or go back?

Compared is what both rounds measured. Going back is looked for first, going forward second; what is neither is a
plateau, and *mixed* when some things got better while others got worse. Pass rate and coverage within two points are
no change.
"""

from collections.abc import Sequence

from headway.core.iteration import Deltas, Iteration, Measurements, Verdict

NO_CHANGE = 2.0
"""Points of pass rate or coverage within which nothing has changed."""
PASS_RATE_DROP, COVERAGE_DROP = 5.0, 2.0
"""Points by which a drop is a regression."""
GOOD_PASS_RATE = 90.0
"""Percent from which on a lower pass rate does not keep a round from going forward."""
EXACT = 9
"""Digits with which differences are judged."""
STALL_ROUNDS, STALL_RANGE = 3, 0.02
"""Plateaus in a row, and the range of quality in them, that make a stall."""


def deltas(now: Measurements, before: Measurements, digits: int = 1) -> Deltas:
    """The differences between two rounds; points are rounded for showing them."""
    return Deltas(
        test_count_delta=_tests_delta(now, before),
        tests_run_delta=_run_delta(now, before),
        tests_silenced=_silenced(now, before),
        tests_passed_delta=_minus(now.tests_passed, before.tests_passed),
        pass_rate_delta=_points(now.pass_rate, before.pass_rate, digits),
        coverage_delta=_points(now.coverage_percentage, before.coverage_percentage, digits),
        error_count_delta=_minus(now.errors, before.errors),
        file_count_delta=_minus(now.file_count, before.file_count),
        loc_delta=_relative(now.loc_total, before.loc_total),
        complexity_delta=_relative(now.complexity_score, before.complexity_score),
    )


def broken_tests(now: Measurements, before: Measurements) -> tuple[str, ...] | None:
    """Tests that passed before and fail now; None when the ids of either round are not known."""
    if now.failing_tests is None or before.failing_tests is None:
        return None
    return tuple(test for test in now.failing_tests if test not in before.failing_tests)


def lost_tests(now: Measurements, before: Measurements) -> int:
    """How many working tests were lost: by id where ids are known, by number otherwise."""
    broken = broken_tests(now, before)
    if broken is not None:
        grown = known_tests(now) - known_tests(before)
        return max(0, len(broken) - max(0, grown))  # a new test that fails was never a working one
    return max(0, (before.tests_passed or 0) - now.tests_passed) if now.tests_passed is not None else 0


def known_tests(measured: Measurements) -> int:
    """How many tests there are; at least those that had a result, where files of tests could not be loaded."""
    if measured.test_count is not None:
        return measured.test_count
    return (measured.tests_passed or 0) + (measured.tests_failed or 0) + (measured.tests_skipped or 0)


def fewer_tests(change: Deltas) -> bool:
    """Were tests deleted, or kept from running? Both make what fails disappear."""
    return (change.test_count_delta or 0) < 0 or (change.tests_run_delta or 0) < 0 or bool(change.tests_silenced)


def compare(now: Measurements, before: Measurements) -> tuple[Verdict, bool]:
    """The verdict about one round against another, and whether its signs are mixed."""
    change = deltas(now, before, EXACT)
    build = _build_change(now, before)
    better = [*_improvements(change), *(["build"] if build > 0 else [])]
    if _is_regression(change) or lost_tests(now, before) > 0 or build < 0:
        return "regression", bool(better)
    if better and not _passes_less(change, now.pass_rate):
        return "forward", False
    return "plateau", bool(better)  # what got better came with a lower pass rate


def is_stalled(rounds: Sequence[Iteration], count: int = STALL_ROUNDS) -> bool:
    """The last rounds stood still, three or as many: plateaus, the same quality, and nothing that got better."""
    last = [one for one in rounds if one.number > 0][-count:]
    if len(last) < count or any(one.verdict not in ("plateau", "stalled") or one.mixed for one in last):
        return False
    values = [one.quality.value for one in last if one.quality is not None]
    flat = not values or round(max(values) - min(values), EXACT) < STALL_RANGE
    return flat and not _improvements(deltas(last[-1].measured, last[0].measured, EXACT))


def _build_change(now: Measurements, before: Measurements) -> int:
    """1 for a build that was repaired, -1 for one that was broken."""
    if now.build_status is None or before.build_status is None:
        return 0
    return (now.build_status == "success") - (before.build_status == "success")


def _is_regression(change: Deltas) -> bool:
    return (
        fewer_tests(change)
        or (change.pass_rate_delta or 0.0) < -PASS_RATE_DROP
        or (change.coverage_delta or 0.0) < -COVERAGE_DROP
        or (change.error_count_delta or 0) > 0
    )


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
    """The one thing that can get worse without being a regression."""
    return (change.pass_rate_delta or 0.0) < -NO_CHANGE and (pass_rate or 0.0) < GOOD_PASS_RATE


def _tests_delta(now: Measurements, before: Measurements) -> int | None:
    """How the number of tests changed; unknown where a file of tests can no longer be loaded."""
    if not _is_counted(now) or not _is_counted(before):
        return None
    if now.test_count is None and (before.test_count is not None or broken_tests(now, before) != ()):
        return None
    return known_tests(now) - known_tests(before)


def _run_delta(now: Measurements, before: Measurements) -> int | None:
    """How the number of tests that run changed; unknown where their number is, or where nobody told who was skipped."""
    if _tests_delta(now, before) is None or not _is_told(now) or not _is_told(before):
        return None
    return _minus(now.tests_run, before.tests_run)


def _silenced(now: Measurements, before: Measurements) -> int | None:
    """How many tests failed before and are skipped now; unknown where ids are. Two tests may have the same id."""
    if None in (now.skipped_tests, now.failing_tests, before.skipped_tests, before.failing_tests):
        return None
    newly_skipped = set(now.skipped_tests or ()).difference(before.skipped_tests or (), now.failing_tests or ())
    return len(newly_skipped.intersection(before.failing_tests or ()))


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
