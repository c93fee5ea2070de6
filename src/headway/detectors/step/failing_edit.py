"""The same edit, failing again.

Why it matters: an edit that did not fit will not fit the next time, as long as the file is the same; it is the
commonest loop of all.
Fires: at the `limit`-th time the very same edit fails, other calls in between or not, while nothing was changed and
nothing new was seen. In a row, exact_cycle speaks sooner.
Clears: when a file is changed or something new is seen, after a compaction, and when the user speaks.
Blind to: edits that fail with other texts (varied_failures).
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.repeats import separate_asks, unchanged_since
from headway.core.session import Session
from headway.core.sizes import Sizes, window_error
from headway.core.step import Step


class FailingEdit(Detector):
    """An edit that does not fit, tried again as it is."""

    severity: Severity = Severity.HIGH
    limit: int = 6
    """Failures of the same edit before we speak."""
    window: int = 20
    """Latest steps that are looked at."""
    confidence = 0.95
    clears = "Read that place in the file first, then write an edit that fits it."
    kinds = frozenset(("edit", "write"))
    only_failures = True

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count how often this edit has failed since anything changed."""
        if step.transient:
            return
        since = max(unchanged_since(session), session.marks.learnt)
        recent = (other for other in session.steps[-self.window :] if other.number > since)
        count = separate_asks(other for other in recent if other.failed and step.same_call(other))
        if count >= self.limit:
            path = step.path
            yield self.finding(
                f"The same edit of {path or 'a file'} failed {count} times, with no change in between"
                f"{step.why_it_failed}.",
                identity=f"call:{step.call.digest:x}",
                repeats=[step.call.digest],
                count=count,
                file_path=path,
            )

    def settings_error(self, sizes: Sizes) -> str | None:
        """The window must hold as many steps as are needed, and the session must keep the window."""
        return window_error("limit", self.limit, "window", self.window, sizes)
