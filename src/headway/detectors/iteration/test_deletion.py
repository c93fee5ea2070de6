"""There are fewer tests than before, or fewer of them run.

Why it matters: a test that is deleted or skipped cannot fail; nothing makes a broken round look better more cheaply.
Fires: when a round has fewer tests than the round it began from, or as many of which fewer run because they are skipped
or expected to fail, or when a test that failed is gone or skipped now, however many others were added. Where the runner
names passing tests too, also when a test that passed is skipped now.
Clears: with the next round in which as many run.
Blind to: tests that are emptied; `headway loop` looks for those by running the baseline's own files of tests.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session
from headway.scoring.suite import known_tests
from headway.scoring.verdict import fewer_tests


class TestDeletion(Detector):
    """Fewer tests."""

    __test__ = False  # it is not a test itself

    severity: Severity = Severity.CRITICAL
    confidence = 0.95

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Compare the number of tests, and of those that run, with the round before."""
        change = iteration.from_previous
        if change is None or not fewer_tests(change):
            return
        less, fewer_run, suite = change.test_count_delta or 0, change.tests_run_delta or 0, change.suite
        gone = f": {', '.join(suite.gone[:3])}" if suite is not None and suite.gone else ""
        if less < 0:
            now = known_tests(iteration.measured)
            told = f"Test count decreased from {now - less} to {now}{gone}."
            yield self.finding(told, identity="tests", before=now - less, now=now)
        elif suite is not None and suite.gone_failing:
            told = f"Of the tests that failed before, {suite.gone_failing} no longer exist{gone}."
            yield self.finding(told, identity="tests", gone=suite.gone[:10])
        elif fewer_run < 0:
            now = iteration.measured.tests_run or 0
            told = f"Tests that run decreased from {now - fewer_run} to {now}; the others are skipped."
            yield self.finding(told, identity="tests", before=now - fewer_run, now=now)
        else:
            before = session.round_before(iteration)
            failed = set(before.measured.failing_tests or ()) if before else set()
            did = "failed" if suite is not None and failed.issuperset(suite.silenced) else "ran"
            told = f"Of the tests that {did} before, {change.tests_silenced} no longer run: skipped now."
            yield self.finding(told, identity="tests", silenced=change.tests_silenced)
