"""The money or the tokens for this run are nearly used up.

Why it matters: the user has said what the run may cost.
Fires: at `early` and at `late` of the budget, once each, and as critical when the next step would go past it, so that
the run ends before the budget is overshot and not after.
Clears: never.
Blind to: what nobody reports as used.
"""

from headway.core.detector import Detector, Findings
from headway.core.events import Used
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step
from headway.core.stop import how_it_stands, would_overshoot


class Spend(Detector):
    """Tokens and money against their budgets."""

    severity: Severity = Severity.HIGH
    clears = "Finish what is most important first, then report what is missing."
    early: float = 0.80
    """Share of the budget at which it is said for the first time."""
    late: float = 0.95
    """Share of the budget at which it is said once more."""
    limits = ("max_tokens", "max_cost_usd")

    def on_step(self, step: Step, session: Session) -> Findings:
        """Look after every step."""
        return self._look(session)

    def on_use(self, event: Used, session: Session) -> Findings:
        """Look whenever something was spent, also by an agent that only talks."""
        return self._look(session)

    def _look(self, session: Session) -> Findings:
        """Compare what was used, and what is used at a time, with the budgets."""
        limits = session.limits
        if limits.max_tokens is None and limits.max_cost_usd is None:
            return ()
        tokens = session.spending.tokens_in + session.spending.tokens_out
        return (
            *self._compare("tokens", tokens, limits.max_tokens, session.spending.count),
            *self._compare("USD", session.spending.cost_usd, limits.max_cost_usd, session.spending.count),
        )

    def _compare(self, unit: str, used: float, budget: float | None, times: int) -> Findings:
        if budget is None or used < budget * self.early:
            return
        is_over = would_overshoot(used, budget, times)
        share = "end" if is_over else "late" if used >= budget * self.late else "early"
        yield self.finding(
            how_it_stands(unit, used, budget, times),
            identity=f"{unit} {share}",
            severity=Severity.CRITICAL if is_over else self.severity,
            confidence=1.0 if is_over else 0.4,
            used=used,
            budget=budget,
        )
