"""All the calls that were planned for the task have been made.

Why it matters: the user has said how much the task may cost in calls.
Fires: when as many calls were made as the tool budget has. It ends the run without a warning, because the user set it;
as an advisory budget it is only said.
Clears: never.
Blind to: runs for which neither a task type nor a budget was named.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step
from headway.core.stop import budget_hint


class ToolBudgetExceeded(Detector):
    """The tool budget is used up."""

    severity: Severity = Severity.CRITICAL

    def on_step(self, step: Step, session: Session) -> Findings:
        """Compare the calls with the budget."""
        hint = budget_hint(session)
        if hint is None:
            return
        hard = session.limits.tool_budget_hard
        yield self.finding(
            f"{hint}.",
            identity="budget",
            severity=self.severity if hard else Severity.HIGH,
            confidence=1.0 if hard else 0.4,
            tool_calls=session.tool_call_count,
        )
