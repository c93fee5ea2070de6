"""Each round improves the work only a little.

Why it matters: the last few percent often cost as many rounds as everything before, and may not be worth it.
Fires: when quality rose by less than `share` in each of `times` rounds in a row.
Clears: with a round that improves more, or not at all.
Blind to: whether the last few percent are the ones that count. Advice only.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session
from headway.scoring.better import comparable


class DiminishingReturns(Detector):
    """Small gains, several rounds in a row."""

    severity: Severity = Severity.MEDIUM
    advisory: bool = True
    share: float = 0.05
    """Relative gain in quality below which a gain counts as small."""
    times: int = 2
    """Rounds in a row with a small gain that trigger a finding."""
    confidence = 0.6

    streak: int = state(0)

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Compare the quality with the previous round."""
        gain = _gain(iteration, session.round_before(iteration))
        self.streak = self.streak + 1 if 0 < gain < self.share else 0
        if self.streak >= self.times:
            yield self.finding(
                f"Quality rose by only {gain:.1%} in round {iteration.number}: {self.streak} small gains in a row.",
                identity="returns",
                gain=round(gain, 4),
                rounds=self.streak,
            )


def _gain(iteration: Iteration, before: Iteration | None) -> float:
    """The relative gain in quality over the round before; 0 if the two cannot be compared, and over the baseline."""
    if before is None or before.number == 0 or not before.quality or not iteration.quality:
        return 0.0
    if not comparable(iteration, before):
        return 0.0
    return (iteration.quality.value - before.quality.value) / max(before.quality.value, 0.0001)
