"""Many changes of one file within a few calls.

Why it matters: many small corrections in a row can mean that the change was not thought through.
Fires: at the `limit`-th change of one file within the last `window` steps.
Clears: when the changes are older than the window, and when the user sends a message.
Blind to: whether the changes build on each other, as a series of edits normally does. The severity is therefore low,
and findings are only recorded.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.limits import Sizes, window_error
from headway.core.session import Session
from headway.core.step import Step


class FileChurn(Detector):
    """Many changes of one file within a few calls."""

    severity: Severity = Severity.LOW
    limit: int = 5
    """Changes of one file that trigger a finding."""
    window: int = 10
    """Number of recent steps to look at."""
    only_changes = True

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count recent changes of the file that this step changed."""
        path = step.path
        if path is None:
            return
        recent = [other for other in session.fresh_steps[-self.window :] if other.changed and other.path == path]
        count = [_folder(other) for other in recent].count(_folder(step))
        if count >= self.limit:
            yield self.finding(
                f"{path} was changed {count} times in the last {self.window} steps.",
                identity=path,
                confidence=min(1.0, count / (self.limit * 2)),
                churned_file=path,
                modification_count=count,
            )

    def settings_error(self, sizes: Sizes) -> str | None:
        """The window must be large enough, and the session must keep as many steps."""
        return window_error("limit", self.limit, "window", self.window, sizes)


def _folder(step: Step) -> str | None:
    return step.call.folder_of(step.meaning.path or "")
