"""Page after page of one file.

Why it matters: paging is honest, but a sweep through a hundred pages fills the context with text that a search would
have found.
Fires: at the `limit`-th read of one file since it last changed, when most of the reads showed new pages.
Clears: when the file changes, after a compaction, and when the user speaks.
Blind to: whether the whole file really has to be read.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step


class EndlessPaging(Detector):
    """One file, read in very many pieces."""

    severity: Severity = Severity.HIGH
    advisory: bool = True
    limit: int = 40
    """Reads of one file before we speak."""
    confidence = 0.5
    clears = "A search for the name you need would find its place at once, if you know the name."
    kinds = frozenset(("read",))

    def on_step(self, step: Step, session: Session) -> Findings:
        """Ask the session how often the file has been read."""
        record = session.file_of(step)
        if record is not None and record.reads >= self.limit and record.known_reads < record.reads / 2:
            path = step.path
            yield self.finding(
                f"{path} has been read in {record.reads} pieces.",
                identity=str(path),
                count=record.reads,
                file_path=path,
            )
