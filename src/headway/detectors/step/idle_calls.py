"""Commands that can have no effect and no result.

Why it matters: `echo 'thinking…'`, `true` or a comment costs a turn and neither does nor shows anything.
Fires: at the `limit`-th such command, whatever its words are, while nothing else is done or learnt in between: a call
that fails or that shows what is known does not count as doing something.
Clears: with a call that does or shows something, and when the user speaks.
Blind to: tools that are made for thinking, and commands whose words hold something that the shell fills in.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step


class IdleCalls(Detector):
    """One command after the other that does nothing."""

    severity: Severity = Severity.HIGH
    limit: int = 3
    """Such commands before we speak."""
    confidence = 0.9
    clears = "Say it in your answer instead, and call a tool when it does something."

    streak: int = state(0)

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count commands that do nothing, as long as nothing else is done or learnt."""
        if not (step.meaning.idle and not step.failed):
            self.streak = 0 if step.news or step.is_first_success else self.streak
            return
        self.streak += 1
        if self.streak >= self.limit:
            yield self.finding(
                f"{self.streak} commands had no effect and printed nothing but their own words, and nothing was done "
                "or learnt in between.",
                identity="idle",
                count=self.streak,
                tool_name=step.tool_name,
            )

    def on_user_turn(self) -> None:
        """A new request, a new beginning."""
        self.streak = 0
