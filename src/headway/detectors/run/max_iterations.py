"""More exploration, or more steps, than the run may have.

Why it matters: an agent that keeps reading has often lost track of what it was looking for.
Fires: when more reads, searches and listings were made since the last change than allowed (the limit is higher for
models that explore more, and grows with turns without a call), or when the run has made its maximum number of steps. A
number that the user set, or enforces, ends the run there; a call beyond the maximum number of steps is refused. The
numbers of a task type are advice: the agent is nudged, and only exploring half as much again ends the run.
Clears: exploration with a change; the number of steps never.
Blind to: runs without a task type or a limit.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Finding, Severity
from headway.core.session import Session
from headway.core.step import Step
from headway.core.stop import exploration_hint, exploration_limit, steps_hint

FINISH = "Finish with what you have, or say what is missing before you continue."


class MaxIterations(Detector):
    """Too much exploration, or too many steps."""

    severity: Severity = Severity.HIGH
    clears = "Start the change, or say what is missing before you continue."
    limits = ("max_exploration_iterations", "max_total_iterations")

    def on_step(self, step: Step, session: Session) -> Findings:
        """Compare the explorations and the steps with their limits."""
        limits, explored = session.limits, session.exploration.count
        hint, limit = exploration_hint(session), exploration_limit(session) or 0
        if hint is not None:
            holds = "max_exploration_iterations" not in limits.advice
            far_over = not holds and explored > limit + limit // 2
            yield self._over(hint, "exploration", explored, limit, holds, far_over)
        hint, limit = steps_hint(session), limits.max_total_iterations or 0
        if hint is not None:
            holds = "max_total_iterations" not in limits.advice
            yield self._over(hint, "total", session.step_count, limit, holds)

    def _over(self, hint: str, identity: str, count: int, limit: int, holds: bool, far_over: bool = False) -> Finding:
        """A finding that ends the run if the limit holds, or after its nudge if it is far over."""
        ends = (holds or far_over) and self.severity.rank >= Severity.HIGH.rank
        return self.finding(
            hint,
            identity=identity,
            severity=Severity.CRITICAL if ends else self.severity,
            confidence=1.0 if ends and holds else 0.9 if ends else 0.4,
            clears=None if identity == "exploration" else FINISH,
            count=count,
            limit=limit,
        )
