"""Tests that passed before this round fail after it, or can no longer be run.

Why it matters: the round broke something that worked.
Fires: when a test that passed in the round this one started from now fails or is gone; if test names are unknown, when
fewer tests pass. Also when the tests can no longer be run at all, and when the test command fails although no test
fails. The severity is critical, so the round is rolled back. It is only high if at least two tests were fixed for each
broken one, if the test may have been renamed, or if it fails only with the tests and settings of the baseline.
Clears: with the next round in which they pass. If a rollback was decided but not reported as done, later rounds are
compared with the round to return to, so the finding repeats while the tests stay broken.
Blind to: flaky tests, and tests that were not run.
"""

from collections.abc import Sequence

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration, Measurements, SuiteChanges
from headway.core.session import Session
from headway.rolling.text import counted, listed
from headway.scoring.suite import suite_changes
from headway.scoring.verdict import cannot_run, fails_outside_now, lost_tests

UNSURE = 0.6


class WorkingTestsFailing(Detector):
    """Working tests that broke."""

    severity: Severity = Severity.CRITICAL
    confidence = 0.95

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Compare the passing tests with those that passed before."""
        before = session.round_that_worked(iteration)
        if before is None:
            return
        was, now = before.measured, iteration.measured
        suite = suite_changes(now, was) or SuiteChanges()
        lost = lost_tests(now, was)
        if cannot_run(now, was):
            yield self.finding(f"The tests can no longer be run: {now.tests_fault}.", identity="cannot run")
        elif fails_outside_now(now, was):
            told = f"The test command now fails with exit code {now.tests_exit_code}, although no test fails."
            yield self.finding(told, identity="exit code")
        elif lost or (suite.unsure and suite.gone) or suite.rewritten:
            broken = suite.broken or suite.unsure or suite.gone or suite.rewritten
            sure = self._is_sure(suite, was, now)
            yield self.finding(
                _told(lost, suite, was, now, sure),
                identity=f"passing {' '.join(broken[:10])}".strip(),
                severity=self.severity if sure and not suite.is_clear_gain else Severity.HIGH,
                confidence=self.confidence if sure else UNSURE,
                before=was.tests_passed,
                now=now.tests_passed,
                broken=broken[:10],
                fixed=len(suite.fixed),
            )

    def _is_sure(self, suite: SuiteChanges, was: Measurements, now: Measurements) -> bool:
        """Whether tests are certainly lost. If as many pass as before, a test may only have been renamed."""
        if was.passing_tests is not None or now.added_tests is not None or not lost_tests(now, was):
            return suite.lost > 0
        return was.tests_passed is None or now.tests_passed is None or now.tests_passed < was.tests_passed


def _told(lost: int, suite: SuiteChanges, before: Measurements, now: Measurements, sure: bool) -> str:
    broken = suite.broken or (() if suite.gone else suite.unsure)
    if now.tests_passed is None:
        return f"The tests that passed can no longer be run: {listed(broken)}."
    fixed = f"; {len(suite.fixed)} were fixed" if suite.is_clear_gain else ""
    if not lost and suite.gone and suite.unsure:
        return f"Tests that passed are gone or were renamed: {listed(suite.unsure)}{fixed}."
    if not lost:
        names = listed(suite.rewritten)
        return f"With the tests and settings of the baseline, tests that passed now fail: {names}{fixed}."
    if now.test_count is None or not (broken or suite.lost_tests):  # a test file that cannot be loaded is not a test
        failing = f"; failing now: {listed(broken)}" if broken else ""
        return f"Passing tests decreased from {before.tests_passed} to {now.tests_passed}{failing}."
    if not suite.broken and broken:  # the number of new tests does not explain all failures
        return f"At least {lost} of these failing tests passed before: {listed(broken)}{fixed}."
    gone = suite.passed_and_gone
    were = "that passed" if sure else "that did not fail before"  # if only failing tests are named, it may be new
    parts = [
        _part(broken, were, "fails", "fail", "now"),
        _part(gone, "that passed", "is", "are", "gone or renamed" if suite.unsure else "gone"),
    ]
    return f"{'; '.join(filter(None, parts))}{fixed}."


def _part(tests: Sequence[str], were: str, one: str, more: str, how: str) -> str:
    does = one if len(tests) == 1 else more
    return f"{counted(len(tests), 'test')} {were} {does} {how}: {listed(tests)}" if tests else ""
