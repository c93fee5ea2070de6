"""What is believed of a round: what was measured, and what is known about how it was measured."""

import msgspec

from headway.core.iteration import Measurements
from headway.loop.facts import RoundEnded
from headway.probes import measured_in, merged


def believed(ended: RoundEnded, baseline: Measurements | None) -> Measurements:
    """The measurements that a round is judged by.

    A test that the round changed is not believed to be fixed while its own old version still fails.
    """
    measured = merged(one.reading for one in ended.readings)
    measured = msgspec.structs.replace(measured, **measured_in(ended.beside))
    return _without(unproven_tests(ended, measured, baseline), measured)


def unproven_tests(ended: RoundEnded, measured: Measurements, baseline: Measurements | None) -> tuple[str, ...]:
    """Tests that failed at the baseline and pass now, but only as this round has changed them."""
    if ended.old_tests is None or baseline is None:
        return ()
    still = set(ended.old_tests.measured.failing_tests or ()).intersection(baseline.failing_tests or ())
    gone = {*(measured.failing_tests or ()), *(measured.skipped_tests or ()), *(measured.removed_tests or ())}
    passes = set(measured.passing_tests) if measured.passing_tests is not None else still - gone
    return tuple(test for test in baseline.failing_tests or () if test in still & passes)


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
