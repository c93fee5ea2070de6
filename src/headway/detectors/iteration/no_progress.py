"""Rounds that put out almost the same and change almost nothing.

Why it matters: the agent has run out of ideas, or believes that it is finished.
Fires: at `stuck_after` rounds in a row whose progress score is below `progress_threshold`: the output is nearly the
same, no file changed, nothing was marked or ticked off.
Clears: with a round that makes progress, or whose measurements got better.
Blind to: work that leaves no trace in output or files.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session


class NoProgress(Detector):
    """Stuck, as seed 001 sees it."""

    severity: Severity = Severity.CRITICAL
    progress_threshold: float = 0.15
    """Progress score below which a round made no meaningful progress."""
    stuck_after: int = 3
    """Such rounds in a row before we speak."""
    confidence = 0.8

    streak: int = state(0)

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Count rounds without progress; the baseline is none."""
        if iteration.number == 0 or iteration.progress is None:
            return
        moved = iteration.verdict == "forward" or iteration.progress.value >= self.progress_threshold
        self.streak = 0 if moved else self.streak + 1
        if self.streak >= self.stuck_after:
            yield self.finding(
                f"{self.streak} rounds in a row put out nearly the same and changed hardly a line.",
                identity="stuck",
                rounds=self.streak,
                progress=iteration.progress.value,
            )
