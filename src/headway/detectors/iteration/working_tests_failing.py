"""Tests that passed before this round fail after it.

Why it matters: the round broke something that worked.
Fires: when a test passed in the round this one began from and fails now; where the ids of tests are not known, when
fewer tests pass.
Clears: with the next round in which they pass.
Blind to: flaky tests, and tests that nobody ran.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration, Measurements
from headway.core.session import Session
from headway.scoring.verdict import broken_tests, lost_tests


class WorkingTestsFailing(Detector):
    """What worked is broken."""

    severity: Severity = Severity.CRITICAL
    confidence = 0.95

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Compare the tests that pass with those that passed before."""
        before = session.round_before(iteration)
        if before is None:
            return
        lost = lost_tests(iteration.measured, before.measured)
        if not lost:
            return
        broken = broken_tests(iteration.measured, before.measured) or ()
        was, now = before.measured.tests_passed, iteration.measured.tests_passed
        fewer = was is None or now is None or now < was
        yield self.finding(
            _told(lost, broken, before.measured, iteration.measured),
            identity=f"passing {' '.join(broken[:10])}".strip(),
            severity=self.severity if fewer else Severity.HIGH,  # as many pass: one may only have a new name
            confidence=self.confidence if fewer else 0.6,
            before=was,
            now=now,
            broken=broken[:10],
        )


def _told(lost: int, broken: tuple[str, ...], before: Measurements, now: Measurements) -> str:
    named = ", ".join(broken[:3])
    if now.tests_passed is None:
        return f"The tests that passed can no longer be run: {named}."
    if not broken or now.test_count is None:  # a file of tests that cannot be loaded is no test
        failing = f"; failing now: {named}" if broken else ""
        return f"Passing tests decreased from {before.tests_passed} to {now.tests_passed}{failing}."
    return f"{lost} {'test that passed fails' if lost == 1 else 'tests that passed fail'} now: {named}."
