"""Tests that passed earlier in this run now fail or are gone.

Why it matters: the work is moving away from its goal, and the cause is recent.
Fires: when fewer tests of the same command pass than in its best run. After `persists` such runs in a row, none better
than the one before, the severity is high: a broken test in the middle of a change is normal, a test that stays broken
is not. Advice only.
Clears: when as many tests pass again, when git goes to another commit, and when the user sends a message.
Blind to: tests that are run by a different command than before, and outputs that do not show how many passed.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step


class TestRegression(Detector):
    """Fewer passing tests than in the best run."""

    __test__ = False  # it is not a test itself

    severity: Severity = Severity.MEDIUM
    advisory: bool = True
    persists: int = 3
    """Runs in a row below the best run after which the severity is high."""
    confidence = 0.8
    clears = "Find out what broke them before you continue."
    kinds = frozenset(("test", "run", "build"))
    only_tests = True

    def on_step(self, step: Step, session: Session) -> Findings:
        """Compare this test run with the best one."""
        history = session.tests.of(step.call)
        if history is None or history.best is None or history.last is None or not history.worse:
            return
        before, now = history.best.passed or 0, history.last.passed or 0
        named = f": {', '.join(history.broken[:3])}" if history.broken else ""
        yield self.finding(
            f"{now} tests pass; {before} passed earlier in this run{named}.",
            identity=f"{step.call.digest:x}",
            severity=Severity.HIGH if self._persists(history.worse) else self.severity,
            passed_before=before,
            passed_now=now,
            broken=history.broken[:10],
            runs=history.worse,
        )

    def _persists(self, runs: int) -> bool:
        return runs >= self.persists and self.severity is Severity.MEDIUM
