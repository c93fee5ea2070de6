"""The code became much more complex in one round.

Why it matters: piling patch upon patch works until a later round has to understand the code.
Fires: when the complexity score grew by more than `share` compared with the round this one started from.
Clears: with the next round in which it does not.
Blind to: complexity that the task requires.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session


class ComplexityExplosion(Detector):
    """A large increase in complexity."""

    severity: Severity = Severity.MEDIUM
    share: float = 0.5
    """Growth of the complexity score that is allowed, relative to the previous round."""
    confidence = 0.6

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Compare the complexity with the previous round."""
        change = iteration.from_previous
        if change is None or change.complexity_delta is None or change.complexity_delta <= self.share:
            return
        yield self.finding(
            f"Complexity increased by {change.complexity_delta:.0%} to {iteration.measured.complexity_score:g}.",
            identity="complexity",
            growth=change.complexity_delta,
        )
