"""There are fewer tests than before, or fewer of them run.

Why it matters: a deleted or skipped test cannot fail, so deleting tests is the cheapest way to make a broken round look
good.
Fires: when a round has fewer tests than the round it started from; when fewer of them run because they are skipped or
expected to fail; or when a test that failed before is gone or skipped now, even if others were added. If the test
runner names passing tests, it also fires when a test that passed is skipped now.
Clears: with the next round in which as many tests run. If a rollback was decided but not reported as done, later rounds
are compared with the round to return to.
Blind to: tests whose content was removed. `headway loop` finds those by running the test files of the baseline.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration, SuiteChanges
from headway.core.session import Session
from headway.rolling.text import listed
from headway.scoring.suite import known_tests
from headway.scoring.verdict import deltas, fewer_tests


class TestDeletion(Detector):
    """Fewer tests."""

    __test__ = False  # it is not a test itself

    severity: Severity = Severity.CRITICAL
    confidence = 0.95

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Compare the number of tests, and of those that run, with the previous round."""
        before = session.round_that_worked(iteration)
        change = deltas(iteration.measured, before.measured) if before is not None else None
        if before is None or change is None or not fewer_tests(change):
            return
        less, fewer_run, suite = change.test_count_delta or 0, change.tests_run_delta or 0, change.suite
        if less < 0:
            now = known_tests(iteration.measured)
            told = f"Test count decreased from {now - less} to {now}{_came_and_went(suite, -less)}."
            yield self.finding(told, identity="tests", before=now - less, now=now)
        elif suite is not None and suite.gone_failing:
            exist = "exists" if suite.gone_failing == 1 else "exist"
            names = listed(suite.failed_and_gone)
            told = f"Of the tests that failed before, {suite.gone_failing} no longer {exist}: {names}."
            yield self.finding(told, identity="tests", gone=suite.gone[:10])
        elif fewer_run < 0:
            now = iteration.measured.tests_run or 0
            others = "; the others are skipped" * (
                iteration.measured.test_count == now + (iteration.measured.tests_skipped or 0)
            )
            told = f"The number of tests that run decreased from {now - fewer_run} to {now}{others}."
            yield self.finding(told, identity="tests", before=now - fewer_run, now=now)
        else:
            failed = set(before.measured.failing_tests or ())
            did = "failed" if suite is not None and failed.issuperset(suite.silenced) else "ran"
            run = "runs" if change.tests_silenced == 1 else "run"
            told = f"Of the tests that {did} before, {change.tests_silenced} no longer {run}: skipped now."
            yield self.finding(told, identity="tests", silenced=change.tests_silenced)


def _came_and_went(suite: SuiteChanges | None, fewer: int) -> str:
    """The tests that are gone, and the number of new ones, so that the totals add up."""
    if suite is None or not suite.gone:
        return ""
    new, names = len(suite.new) + len(suite.new_failing), listed(suite.gone)
    if len(suite.gone) - new != fewer:  # the runner does not name all tests
        return f"; these are gone, among others: {names}"
    return f" ({len(suite.gone)} gone, {new} new); gone: {names}" if new else f": {names}"
