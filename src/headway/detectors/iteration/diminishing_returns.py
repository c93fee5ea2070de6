"""Each round brings less than the one before was worth.

Why it matters: the last percents cost as many rounds as all the others; at some point they are not worth it.
Fires: when quality rose by less than `share` in `times` rounds in a row, without falling.
Clears: with a round that brings more, or less than nothing.
Blind to: whether the last percents are the ones that count. It is only said.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session
from headway.scoring.better import comparable


class DiminishingReturns(Detector):
    """Better, but hardly."""

    severity: Severity = Severity.MEDIUM
    advisory: bool = True
    share: float = 0.05
    """Gain of quality, relative to the round before, below which it counts as little."""
    times: int = 2
    """Rounds of little gain in a row before we speak."""
    confidence = 0.6

    streak: int = state(0)

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Compare the quality with the round before."""
        before = session.round_before(iteration)
        if before is None or before.number == 0 or not before.quality or not iteration.quality:
            return
        if not comparable(iteration, before):
            return
        gain = (iteration.quality.value - before.quality.value) / max(before.quality.value, 0.0001)
        self.streak = self.streak + 1 if 0 < gain < self.share else 0
        if self.streak >= self.times:
            yield self.finding(
                f"Quality rose by only {gain:.1%} in round {iteration.number}: so little {self.streak} times in a row.",
                identity="returns",
                gain=round(gain, 4),
                rounds=self.streak,
            )
