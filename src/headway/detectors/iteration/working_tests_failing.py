"""Tests that passed before this round fail after it, or can no longer be run.

Why it matters: the round broke something that worked.
Fires: when a test passed in the round this one began from and fails now, or is gone; where the ids of tests are not
known, when fewer tests pass. Also when the tests can no longer be run at all, and when the test command fails although
no test does. Critical, so that the round is taken back; only high where at least two tests were fixed for each one that
broke, or where a test may only have a new name.
Clears: with the next round in which they pass.
Blind to: flaky tests, and tests that nobody ran.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration, Measurements, SuiteChanges
from headway.core.session import Session
from headway.scoring.verdict import cannot_run, fails_outside_now, lost_tests

UNSURE = 0.6


class WorkingTestsFailing(Detector):
    """What worked is broken."""

    severity: Severity = Severity.CRITICAL
    confidence = 0.95

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Compare the tests that pass with those that passed before."""
        before = session.round_before(iteration)
        if before is None or iteration.from_previous is None:
            return
        was, now, suite = before.measured, iteration.measured, iteration.from_previous.suite or SuiteChanges()
        lost = lost_tests(now, was)
        if cannot_run(now, was):
            yield self.finding(f"The tests can no longer be run: {now.tests_fault}.", identity="cannot run")
        elif fails_outside_now(now, was):
            told = f"The test command now fails with exit code {now.tests_exit_code}, although no test fails."
            yield self.finding(told, identity="exit code")
        elif lost or (suite.unsure and suite.gone):
            broken = suite.broken or suite.unsure or suite.gone
            sure = self._is_sure(suite, was, now)
            yield self.finding(
                _told(lost, suite, was, now),
                identity=f"passing {' '.join(broken[:10])}".strip(),
                severity=self.severity if sure and not suite.is_clear_gain else Severity.HIGH,
                confidence=self.confidence if sure else UNSURE,
                before=was.tests_passed,
                now=now.tests_passed,
                broken=broken[:10],
                fixed=len(suite.fixed),
            )

    def _is_sure(self, suite: SuiteChanges, was: Measurements, now: Measurements) -> bool:
        """Were tests lost beyond doubt? If as many pass as before, one may only have a new name."""
        if was.passing_tests is not None or now.added_tests is not None:
            return suite.lost > 0
        return was.tests_passed is None or now.tests_passed is None or now.tests_passed < was.tests_passed


def _told(lost: int, suite: SuiteChanges, before: Measurements, now: Measurements) -> str:
    broken = suite.broken or suite.unsure
    named = ", ".join(broken[:3])
    if now.tests_passed is None:
        return f"The tests that passed can no longer be run: {named}."
    fixed = f"; {len(suite.fixed)} were fixed" if suite.is_clear_gain else ""
    if not lost:
        return f"Tests that passed are gone, or have a new name: {named}{fixed}."
    if not broken and suite.gone:
        return f"{_tests(lost)} that passed {'is' if lost == 1 else 'are'} gone: {', '.join(suite.gone[:3])}{fixed}."
    if not broken or now.test_count is None:  # a file of tests that cannot be loaded is no test
        failing = f"; failing now: {named}" if broken else ""
        return f"Passing tests decreased from {before.tests_passed} to {now.tests_passed}{failing}."
    return f"{lost} {'test that passed fails' if lost == 1 else 'tests that passed fail'} now: {named}{fixed}."


def _tests(count: int) -> str:
    return "1 test" if count == 1 else f"{count} tests"
