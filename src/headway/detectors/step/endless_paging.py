"""Reading one file page by page.

Why it matters: reading a hundred pages fills the context with text, where a search would have found the place.
Fires: at the `limit`-th read of one file since it last changed that showed a new part of it: less than half of
the part had been read before. Advice only.
Clears: when the file changes, after a compaction, and when the user sends a message.
Blind to: whether the whole file has to be read.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step


class EndlessPaging(Detector):
    """One file, read in very many parts."""

    severity: Severity = Severity.HIGH
    advisory: bool = True
    limit: int = 40
    """New parts of one file that trigger a finding."""
    confidence = 0.5
    clears = "If you know the name you are looking for, search for it instead."
    kinds = frozenset(("read",))

    def on_step(self, step: Step, session: Session) -> Findings:
        """Ask the session in how many parts the file has been read."""
        record = session.file_of(step)
        if record is not None and record.parts >= self.limit:
            path = step.path
            yield self.finding(
                f"{path} was read in {record.parts} parts.",
                identity=str(path),
                count=record.parts,
                file_path=path,
            )
