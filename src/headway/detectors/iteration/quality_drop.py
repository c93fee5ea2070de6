"""A round that made the work much worse than it has been.

Why it matters: going on from here means repairing first; going back costs nothing.
Fires: when a round is a regression and its quality lies more than `below` under the best round so far.
Clears: with the next round that does not.
Blind to: rounds that measured something else than the best one.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session
from headway.scoring.best import best_so_far
from headway.scoring.better import comparable
from headway.scoring.verdict import EXACT


class QualityDrop(Detector):
    """Far below the best round."""

    severity: Severity = Severity.CRITICAL
    below: float = 0.1
    """How far under the best quality a regression may lie."""
    confidence = 0.9

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Compare the quality with the best so far."""
        best = best_so_far([one for one in session.iterations if 0 < one.number < iteration.number])
        if iteration.verdict != "regression" or best is None or not best.quality or not iteration.quality:
            return
        if not comparable(iteration, best):
            return
        now, peak = iteration.quality.value, best.quality.value
        if round(peak - now, EXACT) > self.below:
            yield self.finding(
                f"Quality fell to {now:.2f}, from {peak:.2f} in round {best.number}.",
                identity="quality",
                now=now,
                best=peak,
            )
