"""The code became much more complex in one round.

Why it matters: patches upon patches work until the next round has to understand them.
Fires: when complexity grew by more than `share` against the round this one began from.
Clears: with the next round in which it does not.
Blind to: complexity that the task itself asks for.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session


class ComplexityExplosion(Detector):
    """Much more complex."""

    severity: Severity = Severity.MEDIUM
    share: float = 0.5
    """Growth of the complexity score, relative to the round before."""
    confidence = 0.6

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Compare complexity with the round before."""
        change = iteration.from_previous
        if change is None or change.complexity_delta is None or change.complexity_delta <= self.share:
            return
        yield self.finding(
            f"Complexity increased by {change.complexity_delta:.0%} to {iteration.measured.complexity_score:g}.",
            identity="complexity",
            growth=change.complexity_delta,
        )
