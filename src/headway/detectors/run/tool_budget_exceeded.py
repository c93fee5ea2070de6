"""The tool budget of the task is used up.

Why it matters: the task was given a fixed number of calls.
Fires: when the number of calls reaches the tool budget. A budget that the user set ends the run without a warning, and
further calls are refused. The budget that comes with a task type is advice only.
Clears: never.
Blind to: runs without a task type or a budget.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step
from headway.core.stop import effective_budget, used_up


class ToolBudgetExceeded(Detector):
    """The tool budget is used up."""

    severity: Severity = Severity.CRITICAL
    clears = "Finish with what you have, or say what is missing before you continue."
    limits = ("tool_budget",)

    def on_step(self, step: Step, session: Session) -> Findings:
        """Compare the number of calls with the budget."""
        budget = effective_budget(session)
        if budget is None or session.tool_call_count < budget:
            return
        hard = "tool_budget" not in session.limits.advice
        yield self.finding(
            used_up(session, budget),
            identity="budget",
            severity=self.severity if hard else Severity.HIGH,
            confidence=1.0 if hard else 0.4,
            advisory=self.advisory or not hard,
            tool_calls=session.tool_call_count,
        )
