"""What is believed of a round: what was measured, and what is known about how it was measured."""

import msgspec

from headway.core.iteration import Measurements
from headway.loop.facts import RoundEnded
from headway.probes import measured_in, merged
from headway.scoring.suite import moved_tests


def believed(ended: RoundEnded, baseline: Measurements | None) -> Measurements:
    """The measurements that a round is judged by.

    A test that failed at the baseline is not believed to be fixed while its version of the baseline still fails. One
    that passed at the baseline may have been rewritten because something else is asked for now: it is only named.
    Nor is a test believed to be fixed by a round that changed no file.
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
    """The same, where a test has a new place and fails as the baseline has it, by its name there: they are one test."""
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
    """Tests that pass now, but only as they were changed since the baseline."""
    old = (ended.old_tests.measured.failing_tests or ()) if ended.old_tests is not None else ()
    not_passing = {*(measured.failing_tests or ()), *(measured.skipped_tests or ()), *(measured.removed_tests or ())}
    passing = set(old) - not_passing if measured.passing_tests is None else set(measured.passing_tests)
    return tuple(test for test in old if test in passing)


def _without(unproven: tuple[str, ...], measured: Measurements) -> Measurements:
    """The same with these tests counted as failing."""
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
