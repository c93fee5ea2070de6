"""Reading the same lines of a file over and over.

Why it matters: the content is already in the context; reading it again costs tokens and teaches nothing.
Fires: at the `limit`-th read of a file since it last changed, if the read returns mostly lines that were read before
and have not changed. Reading a part of what was read before counts only towards `close_limit`. Advice only.
Clears: when the file changes or a program ran that may have changed it, after a call that waits, after a compaction,
and when the user sends a message.
Blind to: paging (each read shows new lines), and tools that do not report which lines they show, unless the output is
equal.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.limits import Sizes
from headway.core.session import Session
from headway.core.step import Step


class RepeatedFile(Detector):
    """The same lines of one file, read again and again."""

    severity: Severity = Severity.HIGH
    advisory: bool = True
    limit: int = 5
    """Reads of the same lines that trigger a finding, including the first."""
    close_limit: int = 10
    """The same limit when reads of a part of known lines count too."""

    clears = "Use what you have read; these lines stay the same until the file changes."
    kinds = frozenset(("read",))

    def on_step(self, step: Step, session: Session) -> Findings:
        """Check how often these lines were read."""
        path, record = step.path, session.file_of(step)
        if record is None or record.last_reread != step.number:
            return
        count = record.known_reads + 1
        if record.rereads + 1 >= self.limit or count >= self.close_limit:
            yield self.finding(
                f"{record.known_reads} of {record.reads} reads of {path} returned mostly lines that had been read "
                "before, with no change of the file seen in between.",
                identity=str(path),
                count=count,
                reads=record.reads,
                file_path=path,
            )

    def settings_error(self, sizes: Sizes) -> str | None:
        """A repeat takes at least two reads."""
        return f"limit is {self.limit}, but a repeat takes at least 2 reads" if self.limit < 2 else None
