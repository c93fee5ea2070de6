"""Many more lint and type errors than before.

Why it matters: later rounds have to fix the errors that pile up now.
Fires: when there are over `more` errors more than in the round this one started from. If lint or type errors were
measured in only one of the two rounds, they are not compared.
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
        earlier = session.round_before(iteration)
        added = None if earlier is None else iteration.measured.errors_since(earlier.measured)
        if earlier is None or added is None or added <= self.more:
            return
        parts, before = iteration.measured.error_parts, earlier.measured.error_parts
        what = "error count" if parts.keys() == before.keys() else next(name for name in parts if name in before)
        now = sum(count for name, count in parts.items() if name in before)
        yield self.finding(
            f"{what.capitalize()} increased by {added} to {now}.", identity="errors", before=now - added, now=now
        )
