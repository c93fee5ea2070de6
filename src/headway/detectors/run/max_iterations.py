"""More exploration than the task type allows.

Why it matters: an agent that keeps reading has often lost track of what it was looking for.
Fires: when more reads, searches and listings were made since the last change than the task type allows (the limit is
higher for models that explore more, and grows with turns without a call), or when the run reaches its maximum number of
steps. The agent is nudged first; exceeding the limit by half ends the run. The step limit that comes with a task type
is advice only.
Clears: with a change.
Blind to: runs without a task type or a limit.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Finding, Severity
from headway.core.session import Session
from headway.core.step import Step
from headway.core.stop import exploration_limit, iterations_hint

FINISH = "Finish with what you have, or say what is missing before you continue."


class MaxIterations(Detector):
    """Too much exploration."""

    severity: Severity = Severity.HIGH
    clears = "Start the change, or say what is missing before you continue."
    limits = ("max_exploration_iterations", "max_total_iterations")

    def on_step(self, step: Step, session: Session) -> Findings:
        """Compare the explorations and the steps with their limits."""
        hint = iterations_hint(session)
        if hint is None:
            return
        limit, total = exploration_limit(session), session.limits.max_total_iterations
        if limit is not None and session.exploration.count > limit:
            yield self._over(hint, "exploration", session.exploration.count, limit)
        elif total is not None:
            yield self._over(
                hint, "total", session.step_count, total, "max_total_iterations" not in session.limits.advice
            )

    def _over(self, hint: str, identity: str, count: int, limit: int, holds: bool = True) -> Finding:
        """A finding that is advice at first; past one and a half times an enforced limit it ends the run."""
        far_over = holds and count > limit + limit // 2 and self.severity.rank >= Severity.HIGH.rank
        severity = Severity.CRITICAL if far_over else self.severity
        return self.finding(
            hint,
            identity=identity,
            severity=severity,
            confidence=0.9 if far_over else 0.4,
            clears=None if identity == "exploration" else FINISH,
            count=count,
            limit=limit,
        )
