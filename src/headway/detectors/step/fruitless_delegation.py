"""The same task handed to another agent again and again, which never finds it.

Why it matters: other words for the task do not change what is there to be found, and each attempt costs a whole run.
Fires: at the `limit`-th delegation since the last change that came back with the same answer, when this answer says
that something was not found or could not be done. This is advice, never a reason to stop.
Clears: when an answer differs, when something was changed, after a compaction, and when the user speaks.
Blind to: answers that say the same in other words.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step
from headway.rolling.regex import regex

_FRUITLESS = regex(
    r"(?i:\b(?:could|can|did)(?: not|n't|not) (?:find|locate|do|complete|access|determine)"
    r"|\bunable to \w+|\bfailed to (?:find|locate)|\bnothing (?:was )?found\b)"
)


class FruitlessDelegation(Detector):
    """Delegations that all come back with the same "could not find it"."""

    severity: Severity = Severity.HIGH
    advisory: bool = True
    limit: int = 5
    """Delegations with the same fruitless answer, one after the other, before we speak."""
    confidence = 0.8
    clears = "Look for it yourself, or ask the user where it is, before you delegate it again."
    kinds = frozenset(("delegate",))

    answer: int = state(0)
    count: int = state(0)
    last_batch: str = state("")

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count delegations in a row that came back with this answer."""
        if step.opaque or not _FRUITLESS.search(step.said[:1_000]):
            self.count = 0
            return
        asked = step.call.batch or step.call.id
        same = step.normal == self.answer and session.fresh_from <= step.number
        if not same or asked != self.last_batch:
            self.count = self.count + 1 if same and self.count else 1
        self.answer, self.last_batch = step.normal, asked
        if self.count >= self.limit:
            yield self.finding(
                f"The last {self.count} {step.tool_name} calls came back with the same answer: "
                "it was not found, or could not be done.",
                identity=f"{step.tool_name} {step.normal:x}",
                count=self.count,
                tool_name=step.tool_name,
            )

    def on_change(self, paths: tuple[str, ...], session: Session) -> Findings:
        """What was changed may be found now."""
        self.count = 0
        return ()

    def on_user_turn(self) -> None:
        """A new request, a new beginning."""
        self.count = 0
