"""The time limit of this run is nearly reached.

Why it matters: the user has set how long the run may take.
Fires: once at `early` and once at `late` of the time limit, and with critical severity when the next step would exceed
it.
Clears: never.
Blind to: runs whose events have no timestamps.
"""

from headway.core.detector import Detector, Findings
from headway.core.events import Advised, AgentSpoke, UserSpoke
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step
from headway.core.stop import budget_status, would_overshoot


class Deadline(Detector):
    """Elapsed time compared with its limit."""

    severity: Severity = Severity.HIGH
    clears = "Finish the most important part, then report what is missing."
    early: float = 0.80
    """Share of the time limit (0-1) at which the agent is first nudged."""
    late: float = 0.95
    """Share of the time limit (0-1) at which the agent is nudged again."""
    limits = ("max_seconds",)

    def on_step(self, step: Step, session: Session) -> Findings:
        """Check after every step."""
        return self._look(session)

    def on_message(self, event: UserSpoke | AgentSpoke | Advised, session: Session) -> Findings:
        """Check after every message, for agents that only talk."""
        return self._look(session)

    def _look(self, session: Session) -> Findings:
        limit = session.limits.max_seconds
        return () if limit is None else self._compare(limit, session)

    def _compare(self, limit: float, session: Session) -> Findings:
        """Compare the elapsed time, plus the average time of a step, with the limit."""
        passed = session.duration.total_seconds()
        if passed < limit * self.early:
            return
        is_over = would_overshoot(passed, limit, session.turn_count)
        share = "end" if is_over else "late" if passed >= limit * self.late else "early"
        yield self.finding(
            budget_status("seconds", round(passed, 1), limit, session.turn_count),
            identity=f"time {share}",
            severity=Severity.CRITICAL if is_over else self.severity,
            confidence=1.0 if is_over else 0.4,
            passed=passed,
            limit=limit,
        )
