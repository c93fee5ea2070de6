"""Quality has been falling since its peak.

Why it matters: refining on after the best round makes the work worse, and the best round is already there.
Fires: when quality fell in `times` rounds in a row since the best one.
Clears: when it rises again.
Blind to: quality that nobody measures. It is only said: the best round is kept in any case.
"""

from itertools import pairwise

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session
from headway.scoring.best import best_so_far, comparable


class OverRefinement(Detector):
    """Downhill since the peak."""

    severity: Severity = Severity.MEDIUM
    advisory: bool = True
    times: int = 2
    """Rounds of falling quality before we speak."""
    confidence = 0.7

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Look at all rounds since the best one."""
        best = best_so_far(session.iterations)
        if best is None or best.quality is None or iteration.quality is None or not comparable(iteration, best):
            return
        since = [one for one in session.iterations if one.number >= best.number]
        values = [one.quality.value for one in since if one.quality is not None]
        falling = all(later < earlier for earlier, later in pairwise(values))
        if falling and len(values) > self.times:
            yield self.finding(
                f"Quality fell from {best.quality.value:.2f} in round {best.number} to {iteration.quality.value:.2f}.",
                identity="peak",
                peak=best.number,
                rounds=len(values) - 1,
            )
