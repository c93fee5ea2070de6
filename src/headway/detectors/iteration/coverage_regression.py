"""Test coverage fell.

Why it matters: code that is no longer covered by tests can break unnoticed in the next round.
Fires: when coverage fell by more than `points` percentage points compared with the round this one started from.
Clears: with the next round in which it does not fall.
Blind to: which lines lost their coverage.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session


class CoverageRegression(Detector):
    """A drop in coverage."""

    severity: Severity = Severity.HIGH
    points: float = 2.0
    """Percentage points by which coverage may fall."""
    confidence = 0.9

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Compare the coverage with the previous round."""
        earlier = session.round_before(iteration)
        before = earlier.measured.coverage_percentage if earlier is not None else None
        now = iteration.measured.coverage_percentage
        if now is None or before is None or round(before - now, 6) <= self.points:
            return
        yield self.finding(
            f"Coverage fell from {before:.4g} % to {now:.4g} %.", identity="coverage", before=before, now=now
        )
