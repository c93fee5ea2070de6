"""Many calls that show almost nothing new.

Why it matters: dozens of different commands can be as fruitless as one that is repeated.
Fires: when at most `share` of what the last `limit` calls showed was new and none of them changed anything. This is a
guess, never a reason to stop: how new outputs look differs too much between agents.
Clears: with a change, with better tests, and with a call that shows something new.
Blind to: what the outputs mean.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step


class FruitlessStreak(Detector):
    """Little news for a long time."""

    severity: Severity = Severity.MEDIUM
    advisory: bool = True
    limit: int = 12
    """Calls with little news in a row before we speak."""
    share: float = 0.15
    """Share of new lines in an output up to which it counts as little news."""
    confidence = 0.4
    clears = "Try something else before you go on, or say what is missing."

    streak: int = state(0)

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count calls that were neither a change nor news."""
        shows = step.novelty > self.share or step.differs or step.opaque
        fruitful = step.changed or shows or session.tests.improved_at == step.number
        if fruitful:
            self.streak = 0
        elif not (session.waits(step) or step.may_advance_cursor):
            self.streak += 1
        if self.streak >= self.limit:
            yield self.finding(
                f"The last {self.streak} calls changed nothing and showed hardly anything new.",
                identity="stall:no news",
                count=self.streak,
            )

    def on_user_turn(self) -> None:
        """A new request, a new beginning."""
        self.streak = 0
