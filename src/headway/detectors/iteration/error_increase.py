"""Many more errors from linters and type checkers than before.

Why it matters: errors that pile up are paid for by the next rounds.
Fires: when there are more than `more` errors more than in the round this one began from.
Clears: with the next round in which they do not increase like this.
Blind to: which of them matter.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session


class ErrorIncrease(Detector):
    """More errors."""

    severity: Severity = Severity.HIGH
    more: int = 5
    """Errors that may be added in a round."""
    confidence = 0.9

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Compare the errors with the round before."""
        change = iteration.from_previous
        if change is None or change.error_count_delta is None or change.error_count_delta <= self.more:
            return
        now = iteration.measured.errors or 0
        yield self.finding(
            f"Error count increased by {change.error_count_delta} to {now}.",
            identity="errors",
            before=now - change.error_count_delta,
            now=now,
        )
