"""Reading the same lines of a file over and over.

Why it matters: the content is already in the context; reading it once more costs tokens and teaches nothing.
Fires: at the `limit`-th time a file is read since it last changed, when the read brings back mostly lines that
were read before and say the same now. A closer look at a part of what was read counts only towards `close_limit`. This
is advice, never a reason to stop.
Clears: when the file changes or a program ran that may have changed it, after a call that waits, after a compaction,
and when the user speaks.
Blind to: paging (each read shows new lines), and tools that do not say which lines they show, unless the
output is the same.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.sizes import Sizes
from headway.core.step import Step


class RepeatedFile(Detector):
    """The same lines of one file, read again and again."""

    severity: Severity = Severity.HIGH
    advisory: bool = True
    limit: int = 5
    """Reads of the same lines before we speak; the first one counts."""
    close_limit: int = 10
    """The same, when closer looks at known lines are counted too."""

    clears = "What those lines say is known until the file changes."
    kinds = frozenset(("read",))

    def on_step(self, step: Step, session: Session) -> Findings:
        """Ask the session how often these lines have been read."""
        path, record = step.path, session.file_of(step)
        if record is None or record.last_reread != step.number:
            return
        count = record.known_reads + 1
        if record.rereads + 1 >= self.limit or count >= self.close_limit:
            yield self.finding(
                f"{record.known_reads} of {record.reads} reads of {path} brought back mostly lines that had been read "
                "before, with no change seen in between.",
                identity=str(path),
                count=count,
                reads=record.reads,
                file_path=path,
            )

    def settings_error(self, sizes: Sizes) -> str | None:
        """The first read is never a repeated one."""
        return f"limit is {self.limit}, but the first read repeats nothing" if self.limit < 2 else None
