"""The same edit, failing again.

Why it matters: an edit that did not match the file will not match the next time either, unless the file changes.
Fires: at the `limit`-th failure of the same edit, even with other calls in between, if nothing was changed and nothing
new was seen. For edits in a row, exact_cycle fires sooner. If the edit lacks an argument, it is advice only.
Clears: when a file is changed or something new is seen, after a compaction, and when the user sends a message.
Blind to: failing edits with different texts (see varied_failures).
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.limits import Sizes, window_error
from headway.core.repeats import at_least, instead_of, separate_asks, unchanged_since
from headway.core.session import Session
from headway.core.step import Step


class FailingEdit(Detector):
    """An edit that does not match the file, tried again unchanged."""

    severity: Severity = Severity.HIGH
    limit: int = 6
    """Failures of the same edit that trigger a finding."""
    window: int = 20
    """Number of recent steps to look at."""
    confidence = 0.95
    clears = "Read that part of the file first, then write an edit that matches it."
    kinds = frozenset(("edit", "write"))
    only_failures = True

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count how often this edit has failed since the last change."""
        since = max(unchanged_since(session), session.marks.learnt)
        if not session.failed_lately(self.limit, self.window, since) or step.transient:
            return
        recent = [other for other in session.steps[-self.window :] if other.number > since and other.failed]
        count = separate_asks([other for other in recent if step.same_call(other)])
        if count >= self.limit:
            about = at_least(session, since, self.window)
            yield self.finding(
                f"The same edit of {step.path or 'a file'} failed {about}{count} times, with no change seen in between"
                f"{step.why_it_failed}.",
                identity=f"call:{step.call.digest:x}",
                repeats=[step.call.digest],
                advisory=self.advisory or step.malformed,
                clears=instead_of(step),
                count=count,
                file_path=step.path,
            )

    def settings_error(self, sizes: Sizes) -> str | None:
        """The window must be large enough, and the session must keep as many steps."""
        return window_error("limit", self.limit, "window", self.window, sizes)
