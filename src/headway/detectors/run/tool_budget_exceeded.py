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
from headway.core.stop import effective_budget


class ToolBudgetExceeded(Detector):
    """The tool budget is used up."""

    severity: Severity = Severity.CRITICAL
    confidence = 1.0

    def on_step(self, step: Step, session: Session) -> Findings:
        """Compare the calls with the budget."""
        budget = effective_budget(session)
        if budget is None or session.tool_call_count < budget:
            return
        yield self.finding(
            f"Tool budget exceeded ({session.tool_call_count}/{budget}).",
            identity="budget",
            severity=self.severity if session.limits.tool_budget_hard else Severity.HIGH,
            confidence=1.0 if session.limits.tool_budget_hard else 0.4,
            tool_calls=session.tool_call_count,
            tool_budget=budget,
        )
