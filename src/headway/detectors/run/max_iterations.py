"""More looking around than was planned for such a task.

Why it matters: an agent that reads on and on has often lost what it was looking for.
Fires: when more reads, searches and listings were made since the last change than the task type allows, more for models
that explore more and for turns without a call; or when the run has as many steps as it may have at all. It is said
first; going past the limit by half ends the run.
Clears: with a change.
Blind to: runs for which neither a task type nor a limit was named.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Finding, Severity
from headway.core.session import Session
from headway.core.step import Step
from headway.core.stop import exploration_limit


class MaxIterations(Detector):
    """Too much looking around."""

    severity: Severity = Severity.HIGH
    confidence = 0.9

    def on_step(self, step: Step, session: Session) -> Findings:
        """Compare explorations, and all steps, with their limits."""
        limit, total = exploration_limit(session), session.limits.max_total_iterations
        if limit is not None and session.exploration_count > limit:
            explored = session.exploration_count
            message = f"{explored} steps of looking around since the last change; {limit} were planned."
            yield self._over("exploration", message, explored, limit)
        if total is not None and session.step_count >= total:
            message = f"{session.step_count} steps were made; {total} were planned."
            yield self._over("total", message, session.step_count, total)

    def _over(self, identity: str, message: str, count: int, limit: int) -> Finding:
        far_over = count > limit + limit // 2
        severity = Severity.CRITICAL if far_over else self.severity
        # said once; what lies between the limit and half as much again is the agent's to use
        confidence = 0.9 if far_over else 0.4
        return self.finding(
            message, identity=identity, severity=severity, confidence=confidence, count=count, limit=limit
        )
