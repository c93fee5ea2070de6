"""Nothing has changed for several rounds.

Why it matters: another round of the same kind costs as much as the ones before and will bring as little.
Fires: when the last three rounds were plateaus of the same quality in which no measurement got better.
Clears: with a round that moves something.
Blind to: progress that nobody measures.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session


class Stalled(Detector):
    """Three rounds without any movement."""

    severity: Severity = Severity.CRITICAL
    confidence = 0.8

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """The verdict tells."""
        if iteration.verdict == "stalled":
            yield self.finding(
                "No measurement has improved for 3 rounds: consider a different approach, a person's help, or an "
                "alternative strategy.",
                identity="stall",
                rounds=(iteration.number - 2, iteration.number - 1, iteration.number),
            )
