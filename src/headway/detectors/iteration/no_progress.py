"""Rounds that say little that is new and change few lines.

Why it matters: the agent has run out of ideas, or believes that it is finished.
Fires: at `stuck_after` rounds in a row whose progress score is below `progress_threshold`. The score is made of how
different the output is, how many lines changed, and what was marked or ticked off, as far as these are known.
Clears: with a round that makes progress, or whose measurements got better.
Blind to: work that leaves no trace in output or files.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session
from headway.rolling.words import counted


class NoProgress(Detector):
    """Several rounds in a row with little progress."""

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
                f"Progress was below {self.progress_threshold:g} in {counted(self.streak, 'round')} in a row"
                f"{_latest(iteration)}.",
                identity="stuck",
                rounds=self.streak,
                progress=iteration.progress.value,
            )


def _latest(iteration: Iteration) -> str:
    """What is known of the latest round: its output against the one before, and its lines."""
    parts = {part.name: part.score for part in iteration.progress.parts} if iteration.progress else {}
    facts = []
    if "output_diff" in parts:
        facts.append(f"the output differs by {parts['output_diff']:.0%}")
    if iteration.changes is not None:
        facts.append(f"{counted(iteration.changes.lines, 'line')} changed")
    return f"; in the latest, {' and '.join(facts)}" if facts else ""
