"""Commands that can have no effect and no result.

Why it matters: `echo 'thinking…'`, `true` or a comment costs a turn and neither does nor shows anything.
Fires: at the `limit`-th such command in a row, whatever its words are.
Clears: with any other call, and when the user speaks.
Blind to: tools that are made for thinking, and commands whose words hold something that the shell fills in.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step


class IdleCalls(Detector):
    """One command after the other that does nothing."""

    severity: Severity = Severity.HIGH
    limit: int = 8
    """Such commands in a row before we speak."""
    confidence = 0.9
    clears = "Say it in your answer instead, and call a tool when it does something."

    streak: int = state(0)

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count commands in a row that do nothing."""
        self.streak = self.streak + 1 if step.meaning.idle and not step.failed else 0
        if self.streak >= self.limit:
            yield self.finding(
                f"The last {self.streak} {step.tool_name} calls had no effect and printed nothing but their own words.",
                identity="idle",
                count=self.streak,
                tool_name=step.tool_name,
            )

    def on_user_turn(self) -> None:
        """A new request, a new beginning."""
        self.streak = 0
