"""Decides which measurements of a round count, given how they were made."""

import msgspec

from headway.core.iteration import Measurements
from headway.loop.facts import RoundEnded
from headway.probes import measured_in, merged
from headway.scoring.suite import moved_tests


def trusted(ended: RoundEnded, baseline: Measurements | None) -> Measurements:
    """The measurements by which a round is judged.

    A test that failed at the baseline does not count as fixed while its baseline version still fails, nor if the round
    changed no file. A test that passed at the baseline may have been rewritten because the task asks for something
    else, so it is only reported.
    """
    measured = merged(one.reading for one in ended.readings)
    measured = msgspec.structs.replace(measured, **measured_in(ended.beside))
    measured = _under_old_names(ended, measured, baseline)
    rewritten = _rewritten_tests(ended, measured)
    measured = msgspec.structs.replace(
        measured, changed_measure=ended.measuring or None, rewritten_tests=rewritten or None
    )
    failed = set(baseline.failing_tests or ()) if baseline else set()
    unproven = dict.fromkeys([*(test for test in rewritten if test in failed), *ended.unexplained])
    return _without(tuple(unproven), measured)


def _under_old_names(ended: RoundEnded, measured: Measurements, baseline: Measurements | None) -> Measurements:
    """The measurements, with moved tests under their baseline names if the baseline version fails."""
    old = (ended.old_tests.measured.failing_tests or ()) if ended.old_tests is not None else ()
    if baseline is None or measured.passing_tests is None:
        return measured
    had = {*(baseline.passing_tests or ()), *(baseline.failing_tests or ()), *(baseline.skipped_tests or ())}
    has = {*measured.passing_tests, *(measured.failing_tests or ()), *(measured.skipped_tests or ())}
    moved = moved_tests(had - has, has - had)
    names = {moved[test]: test for test in old if test in moved}
    return msgspec.structs.replace(
        measured, passing_tests=tuple(names.get(test, test) for test in measured.passing_tests)
    )


def _rewritten_tests(ended: RoundEnded, measured: Measurements) -> tuple[str, ...]:
    """Tests that pass now only because they were changed since the baseline."""
    old = (ended.old_tests.measured.failing_tests or ()) if ended.old_tests is not None else ()
    not_passing = {*(measured.failing_tests or ()), *(measured.skipped_tests or ()), *(measured.removed_tests or ())}
    passing = set(old) - not_passing if measured.passing_tests is None else set(measured.passing_tests)
    return tuple(test for test in old if test in passing)


def _without(unproven: tuple[str, ...], measured: Measurements) -> Measurements:
    """The measurements, with these tests counted as failing."""
    if not unproven or measured.tests_passed is None or measured.tests_failed is None:
        return measured
    passing = measured.passing_tests
    return msgspec.structs.replace(
        measured,
        tests_passed=max(0, measured.tests_passed - len(unproven)),
        tests_failed=measured.tests_failed + len(unproven),
        failing_tests=None if measured.failing_tests is None else (*measured.failing_tests, *unproven),
        passing_tests=None if passing is None else tuple(test for test in passing if test not in unproven),
    )
