"""The target is known and read, and still nothing is done about it.

Why it matters: for a task that is about changing something, reading on after the target was read is delay.
Fires: when `explorations_after_target` reads, searches or listings followed the reading of a target and nothing was
changed. It is said first; going on past twice as many, and past what is planned for the task by half, ends the run.
Targets are the files that the user named.
Clears: with a change.
Blind to: tasks that do not ask for a change, and targets that nobody named.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step
from headway.core.stop import goal_hint


class GoalForcing(Detector):
    """Looking on when the change could begin."""

    severity: Severity = Severity.HIGH
    clears = "Begin with the change, or say what is missing before you look on."
    limits = ("force_action_after_target_read",)

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count what came after the target was read."""
        hint, since = goal_hint(session), session.exploration.since_target or 0
        if hint is None:
            return
        planned = session.limits.max_exploration_iterations or 0
        far_over = since > max(2 * session.limits.explorations_after_target, planned + planned // 2)
        yield self.finding(
            hint,
            identity="target",
            severity=Severity.CRITICAL if far_over else self.severity,
            confidence=0.9 if far_over else 0.4,
            count=since,
        )
