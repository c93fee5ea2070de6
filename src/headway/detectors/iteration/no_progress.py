"""Rounds with little new output and few changed lines.

Why it matters: the agent has run out of ideas, or thinks it is finished.
Fires: after `stuck_after` rounds in a row with a progress score below `progress_threshold`. The score combines how much
the output differs, how many lines changed, and which progress markers and checkboxes were added, as far as these are
known.
Clears: with a round that makes progress, or whose measurements improve.
Blind to: work that shows neither in output nor in files.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session
from headway.rolling.text import counted


class NoProgress(Detector):
    """Several rounds in a row with little progress."""

    severity: Severity = Severity.CRITICAL
    progress_threshold: float = 0.15
    """Progress score below which a round made no progress."""
    stuck_after: int = 3
    """Rounds in a row without progress that trigger a finding."""
    confidence = 0.8

    streak: int = state(0)

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Count rounds without progress. The baseline is not a round."""
        if iteration.number == 0:
            return
        moved = (
            iteration.progress is None
            or iteration.verdict == "forward"
            or iteration.progress.value >= self.progress_threshold
        )
        self.streak = 0 if moved else self.streak + 1
        if iteration.progress is not None and self.streak >= self.stuck_after:
            several = self.streak > 1
            where = f"{self.streak} rounds in a row" if several else "the latest round"
            facts = _facts(iteration)
            latest = f"; {'in the latest one, ' * several}{facts}" if facts else ""
            yield self.finding(
                f"Progress was below {self.progress_threshold:g} in {where}{latest}.",
                identity="stuck",
                rounds=self.streak,
                progress=iteration.progress.value,
            )


def _facts(iteration: Iteration) -> str:
    """Facts about the latest round: how much its output differs, and how many lines changed."""
    parts = {part.name: part.score for part in iteration.progress.parts} if iteration.progress else {}
    facts = []
    if "output_diff" in parts:
        facts.append(f"the output differs by {parts['output_diff']:.0%}")
    if iteration.changes is not None:
        facts.append(f"{counted(iteration.changes.lines, 'line')} changed")
    return " and ".join(facts)
