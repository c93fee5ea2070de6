"""There are fewer tests than before.

Why it matters: a test that is deleted cannot fail; nothing makes a broken round look better more cheaply.
Fires: when a round has fewer tests than the round it began from.
Clears: with the next round that has as many.
Blind to: tests that are emptied or skipped instead of deleted.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session
from headway.scoring.verdict import known_tests


class TestDeletion(Detector):
    """Fewer tests."""

    __test__ = False  # it is not a test itself

    severity: Severity = Severity.CRITICAL
    confidence = 0.95

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Compare the number of tests with the round before."""
        change = iteration.from_previous
        if change is None or change.test_count_delta is None or change.test_count_delta >= 0:
            return
        now = known_tests(iteration.measured)
        before = now - change.test_count_delta
        yield self.finding(f"Test count decreased from {before} to {now}.", identity="tests", before=before, now=now)
