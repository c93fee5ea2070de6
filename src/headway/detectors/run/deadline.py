"""The time for this run is nearly up.

Why it matters: the user has said how long the run may take.
Fires: at `early` and at `late` of the time, once each, and as critical when the next step would go past it.
Clears: never.
Blind to: runs whose events carry no times.
"""

from headway.core.detector import Detector, Findings
from headway.core.events import Advised, AgentSpoke, UserSpoke
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step
from headway.core.stop import how_it_stands, would_overshoot


class Deadline(Detector):
    """The clock against its limit."""

    severity: Severity = Severity.HIGH
    clears = "Finish what is most important first, then report what is missing."
    early: float = 0.80
    """Share of the time at which it is said for the first time."""
    late: float = 0.95
    """Share of the time at which it is said once more."""
    limits = ("max_seconds",)

    def on_step(self, step: Step, session: Session) -> Findings:
        """Look after every step."""
        return self._look(session)

    def on_message(self, event: UserSpoke | AgentSpoke | Advised, session: Session) -> Findings:
        """Look whenever somebody speaks, also when nothing is done."""
        return self._look(session)

    def _look(self, session: Session) -> Findings:
        limit = session.limits.max_seconds
        return () if limit is None else self._compare(limit, session)

    def _compare(self, limit: float, session: Session) -> Findings:
        """Compare the time that has passed, and what a step takes on average, with the limit."""
        passed = session.duration.total_seconds()
        if passed < limit * self.early:
            return
        is_over = would_overshoot(passed, limit, session.turn_count)
        share = "end" if is_over else "late" if passed >= limit * self.late else "early"
        yield self.finding(
            how_it_stands("seconds", round(passed, 1), limit, session.turn_count),
            identity=f"time {share}",
            severity=Severity.CRITICAL if is_over else self.severity,
            confidence=1.0 if is_over else 0.4,
            passed=passed,
            limit=limit,
        )
