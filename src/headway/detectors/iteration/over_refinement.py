"""Quality has been falling since its peak.

Why it matters: further refinement makes the work worse, and the best round already exists.
Fires: when quality fell by `below` or more since the best round (or since the baseline, if that was better) and never
rose in the `times` or more rounds built upon it.
Clears: when quality rises again.
Blind to: quality that is not measured. Advice only: the best round is kept in any case.
"""

from collections.abc import Sequence
from itertools import pairwise

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session
from headway.scoring.best import best_so_far
from headway.scoring.better import comparable


class OverRefinement(Detector):
    """Falling quality since the peak."""

    severity: Severity = Severity.MEDIUM
    advisory: bool = True
    times: int = 2
    """Rounds below the peak that trigger a finding."""
    below: float = 0.02
    """Minimum drop in quality since the peak."""
    confidence = 0.7

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Check all rounds since the peak."""
        peak = _peak(session.iterations)
        if peak is None or peak.quality is None or iteration.quality is None or not comparable(iteration, peak):
            return
        values = [one.quality.value for one in _since(peak, iteration, session) if one.quality]
        falling = all(later <= earlier for earlier, later in pairwise([peak.quality.value, *values]))
        fallen = round(peak.quality.value - iteration.quality.value, 4) >= self.below
        if falling and fallen and len(values) >= self.times and values[0] < peak.quality.value:
            where = f"round {peak.number}" if peak.number else "the baseline"
            yield self.finding(
                f"Quality fell from {peak.quality.value:.2f} in {where} to {iteration.quality.value:.2f}.",
                identity="peak",
                peak=peak.number,
                rounds=len(values),
            )


def _since(peak: Iteration, iteration: Iteration, session: Session) -> list[Iteration]:
    """The rounds built upon the peak, up to this one; empty if this one was not."""
    found, one = [iteration], session.round_before(iteration)
    while one is not None and one.number > peak.number:
        found.append(one)
        one = session.round_before(one)
    return found[::-1] if one is not None and one.number == peak.number < iteration.number else []


def _peak(rounds: Sequence[Iteration]) -> Iteration | None:
    """The best round, or the baseline if its quality was higher."""
    best, first = best_so_far(rounds), rounds[0] if rounds else None
    if best is None or first is None or first.number or not comparable(best, first):
        return best if best is not None or first is None or first.number else first
    return first if first.quality and best.quality and first.quality.value > best.quality.value else best
