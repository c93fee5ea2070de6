"""Many calls that show almost nothing new.

Why it matters: dozens of different commands can be as fruitless as one that is repeated.
Fires: when at most `share` of the output of each of the last `limit` calls was new, and no change of a file was seen.
Advice only, because how new an output looks differs a lot between agents.
Clears: with a change, with an action on a page, a service or a process, with better test results, and with a call that
shows something new or has no result.
Calls in one parallel batch count once.
Blind to: what the outputs mean, and what programs change without saying so.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.repeats import acted, follows_gap, in_a_row
from headway.core.session import Session
from headway.core.step import Step


class FruitlessStreak(Detector):
    """Calls in a row with hardly any new output."""

    severity: Severity = Severity.MEDIUM
    advisory: bool = True
    limit: int = 12
    """Calls in a row without much new output that trigger a finding."""
    share: float = 0.15
    """Share of new lines (0-1) up to which an output counts as not new."""
    confidence = 0.4
    clears = "Try a different approach before you continue, or say what is missing."

    streak: int = state(0)

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count calls that showed nothing new and are not known to have changed anything."""
        shows = step.novelty > self.share or step.differs or step.opaque
        did = step.changed or acted(session, step)
        fruitful = did or shows or session.tests.improved_at == step.number
        if fruitful or (self.streak and follows_gap(session, step)):
            self.streak = 0
        elif not (session.continues_batch(step) or session.is_expected_repeat(step) or step.may_advance_cursor):
            self.streak += 1
        if self.streak < self.limit or not in_a_row(session, session.steps[-self.streak :][0], step):
            return ()
        message = f"The last {self.streak} calls showed hardly anything new, and no change of a file was seen."
        return (self.finding(message, identity="stall:no news", count=self.streak),)

    def on_user_turn(self) -> None:
        """A new request starts a new count."""
        self.streak = 0
