"""The project has fewer source files than before.

Why it matters: deleting code is a quick way to make problems disappear.
Fires: when there are fewer source files after a round than after the round it started from.
Clears: with the next round that has as many source files.
Blind to: whether the files were needed.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session


class FileDeletion(Detector):
    """Fewer source files."""

    severity: Severity = Severity.MEDIUM
    confidence = 0.6

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Compare the number of files with the previous round."""
        change = iteration.from_previous
        if change is None or change.file_count_delta is None or change.file_count_delta >= 0:
            return
        now = iteration.measured.file_count or 0
        before = now - change.file_count_delta
        yield self.finding(
            f"The number of source files decreased from {before} to {now}.", identity="files", before=before, now=now
        )
