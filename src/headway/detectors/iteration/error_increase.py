"""Many more lint and type errors than before.

Why it matters: later rounds have to fix the errors that pile up now.
Fires: when there are over `more` errors more than in the round this one started from.
Clears: with the next round in which they do not increase this much.
Blind to: which of the errors matter.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session


class ErrorIncrease(Detector):
    """A large increase in errors."""

    severity: Severity = Severity.HIGH
    more: int = 5
    """Number of errors that a round may add."""
    confidence = 0.9

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Compare the number of errors with the previous round."""
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
