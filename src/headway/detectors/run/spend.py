"""The money or token budget of this run is nearly used up.

Why it matters: the user has set what the run may cost.
Fires: once at `early` and once at `late` of the budget, and with critical severity when the average of the reports so
far would exceed it once more. What is under way when a report comes is spent anyway. A cost that was not reported is
the list price of the tokens.
Clears: never.
Blind to: usage that is not reported, and the cost of models without a list price.
"""

from headway.core.detector import Detector, Findings
from headway.core.events import Used
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step
from headway.core.stop import budget_status, is_estimate, would_overshoot


class Spend(Detector):
    """Tokens and money compared with their budgets."""

    severity: Severity = Severity.HIGH
    clears = "Finish the most important part, then report what is missing."
    early: float = 0.80
    """Share of the budget (0-1) at which the agent is first nudged."""
    late: float = 0.95
    """Share of the budget (0-1) at which the agent is nudged again."""
    limits = ("max_tokens", "max_cost_usd")

    def on_step(self, step: Step, session: Session) -> Findings:
        """Check after every step."""
        return self._look(session)

    def on_use(self, event: Used, session: Session) -> Findings:
        """Check after every usage report, for agents that only talk."""
        return self._look(session)

    def _look(self, session: Session) -> Findings:
        """Compare the usage, plus the average of one report, with the budgets."""
        limits = session.limits
        if limits.max_tokens is None and limits.max_cost_usd is None:
            return ()
        spending = session.spending
        return (
            *self._compare("tokens", spending.tokens, limits.max_tokens, session),
            *self._compare("USD", spending.known_usd, limits.max_cost_usd, session),
        )

    def _compare(self, unit: str, used: float, budget: float | None, session: Session) -> Findings:
        if budget is None or round(used - budget * self.early, 9) < 0:  # 0.05 * 0.8 is a little more than 0.04
            return
        times = session.spending.count
        is_over = would_overshoot(used, budget, times)
        share = "end" if is_over else "late" if used >= budget * self.late else "early"
        yield self.finding(
            budget_status(unit, used, budget, times, is_estimate(unit, session)),
            identity=f"{unit} {share}",
            severity=Severity.CRITICAL if is_over else self.severity,
            confidence=1.0 if is_over else 0.4,
            used=used,
            budget=budget,
        )
