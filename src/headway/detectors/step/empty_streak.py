"""Searches that keep finding nothing.

Why it matters: the agent is guessing names, and another guess rarely helps.
Fires: at the `limit`-th empty search in a row. A single empty search is recorded as low. Advice only: "nothing found"
is also an answer. It is therefore only recorded, until there are 30 in a row: then the agent is nudged once.
Clears: when a search finds something, and when the user sends a message.
Blind to: searches inside a longer shell script, and results that do not show how much was found.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step


class EmptyStreak(Detector):
    """Empty searches in a row."""

    severity: Severity = Severity.HIGH
    advisory: bool = True
    limit: int = 3
    """Empty searches in a row that trigger a finding."""
    confidence = 0.9
    clears = "List the folder or read a file first, then search for a name that occurs there."
    kinds = frozenset(("search",))
    worth_saying = 30

    def on_step(self, step: Step, session: Session) -> Findings:
        """Look at the streak whenever a search came back empty."""
        if step.hits != 0:
            return
        streak = session.turn.consecutive_empty
        if streak >= self.limit:
            yield self.finding(
                f"The last {streak} searches with a known number of hits found nothing.",
                identity="streak",
                lasted=streak,
                streak=streak,
            )
        elif streak == 1:
            yield self.finding("A search found nothing.", identity="single", severity=Severity.LOW, streak=1)
