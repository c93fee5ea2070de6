"""The target has been read, but no change has been seen since.

Why it matters: if the task is to change something, further reading after the target was read only delays it.
Fires: when `explorations_after_target` reads, searches or listings followed after a target was read and nothing was
changed. The agent is nudged first. The run ends at more than twice as many, if that is also more than one and a half
times the exploration limit of the task. Targets are the files that the user named.
Clears: with a change.
Blind to: tasks that do not require a change, targets that the user did not name, and turns in which something ran or
still runs that may have made the change (a script, tests, a sub-agent, an edit without a result).
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.repeats import anything_may_have_changed
from headway.core.session import Session
from headway.core.step import Step
from headway.core.stop import goal_hint


class GoalForcing(Detector):
    """Exploring instead of making the change."""

    severity: Severity = Severity.HIGH
    clears = "Start the change, or say what is missing before you continue."
    limits = ("force_action_after_target_read",)

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count explorations since the target was read."""
        hint, explored = goal_hint(session), session.exploration.since_target or 0
        if hint is None or anything_may_have_changed(session):
            return
        planned = session.limits.max_exploration_iterations or 0
        far_over = explored > max(2 * session.limits.explorations_after_target, planned + planned // 2)
        yield self.finding(
            hint,
            identity="target",
            severity=Severity.CRITICAL if far_over else self.severity,
            confidence=0.9 if far_over else 0.4,
            count=explored,
        )
