"""How far Headway goes, and how fast: observe, nudge, block, stop. The ladder is data; the rules climb it."""

import msgspec

from headway.core.decision import Action
from headway.core.finding import Severity

STUCK = ("stalled", "no_progress")
"""Detectors that see a loop whose rounds no longer move the work."""


class Ladder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The steps between seeing something and ending a run."""

    first_nudge: int = 3
    """Step before which nothing is said about calls: two steps are not a pattern."""
    cool_down: int = 3
    """Steps after a nudge in which only something weightier is said."""
    max_nudges: int = 8
    """Nudges in one user turn; what would be said after that stays unsaid."""
    stop_after_blocks: int = 2
    """How often a call is refused before asking for it once more stops the run."""
    stop_after_high: int = 2
    """How often a high finding is seen again after its nudge before it stops the run."""
    stop_after_medium: int = 8
    """How often a medium finding is seen again after its nudge before it stops the run."""
    ample: int = 5
    """How often something must have been counted so that, after its nudge, seeing it once more is enough to stop."""
    sure: float = 0.5
    """Confidence below which a finding is unsure: it is never a reason to block or stop."""
    only_recorded: tuple[str, ...] = ("empty_streak", "low_hit_rate", "scope_creep", "similar_calls")
    """Detectors whose findings are recorded and never said: runs in which they see something fail no more often."""
    rollback_on: tuple[str, ...] = ("test_deletion", "working_tests_failing", "quality_drop", "protected_files")
    """Detectors whose finding about a round sends the work back to the best round so far; the same again stops it."""
    strict: bool = False
    """Whether any broken test sends the work back, however many others were fixed."""
    escalate_on: tuple[str, ...] = ("metric_cycle", "uncertain")
    """Detectors whose finding about a round a person has to look at."""
    stop_on: tuple[str, ...] = ()
    """Detectors whose finding about a round stops the work at once. A loop adds `stalled` and `no_progress`."""
    target_quality: float | None = None
    """Quality of a round at which the work is good enough to stop."""
    attended: bool = False
    """Whether a person is there: then a stop becomes an escalation."""

    @property
    def end(self) -> Action:
        """How a run ends that goes on after its nudge."""
        return Action.ESCALATE if self.attended else Action.STOP

    def patience(self, severity: Severity) -> int | None:
        """How often a finding of this severity may be seen again after its nudge; None for ever."""
        return {
            Severity.LOW: None,
            Severity.MEDIUM: self.stop_after_medium,
            Severity.HIGH: self.stop_after_high,
            Severity.CRITICAL: 1,
        }[severity]
