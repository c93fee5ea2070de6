"""More looking around than was planned for such a task.

Why it matters: an agent that reads on and on has often lost what it was looking for.
Fires: when more reads, searches and listings were made since the last change than the task type allows, more for models
that explore more and for turns without a call; or when the run has as many steps as it may have at all. It is said
first; going past the limit by half ends the run. How many steps a task type plans for in all is only said.
Clears: with a change.
Blind to: runs for which neither a task type nor a limit was named.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Finding, Severity
from headway.core.session import Session
from headway.core.step import Step
from headway.core.stop import exploration_limit, iterations_hint


class MaxIterations(Detector):
    """Too much looking around."""

    severity: Severity = Severity.HIGH
    clears = "Begin with the change, or say what is missing before you look on."
    limits = ("max_exploration_iterations", "max_total_iterations")

    def on_step(self, step: Step, session: Session) -> Findings:
        """Compare explorations, and all steps, with their limits."""
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
        """Unsure at first, so that it is only said; past the limit by half it is sure, and ends the run if it holds."""
        far_over = holds and count > limit + limit // 2 and self.severity.rank >= Severity.HIGH.rank
        severity = Severity.CRITICAL if far_over else self.severity
        return self.finding(
            hint,
            identity=identity,
            severity=severity,
            confidence=0.9 if far_over else 0.4,
            clears=None if identity == "exploration" else "Finish with what you have, or say what is missing.",
            count=count,
            limit=limit,
        )
