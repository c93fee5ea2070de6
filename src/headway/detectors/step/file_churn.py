"""Many changes of one file within a few calls.

Why it matters: many small corrections in a row can mean that the change was not thought through.
Fires: at the `limit`-th change of one file within the last `window` steps. At the 15th equal edit, as one that adds the
same lines again, the agent is nudged once.
Clears: when the changes are older than the window, and when the user sends a message.
Blind to: whether the changes build on each other, as a series of edits normally does. The severity is therefore low,
and findings are otherwise only recorded.
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
    worth_saying = 15

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count recent changes of the file that this step changed."""
        path = step.path
        if path is None:
            return
        recent = [other for other in session.fresh_steps[-self.window :] if other.changed and other.path == path]
        count = [_folder(other) for other in recent].count(_folder(step))
        if step.call.edit is not None:
            yield from self._same_edit(step, session)
        if count >= self.limit:
            yield self.finding(
                f"{path} was changed {count} times in the last {self.window} steps.",
                identity=path,
                confidence=min(1.0, count / (self.limit * 2)),
                churned_file=path,
                modification_count=count,
            )

    def _same_edit(self, step: Step, session: Session) -> Findings:
        """An edit that could be made again and again: what it looks for is still there, or there again."""
        count = sum(other.changed and other.same_call(step) for other in session.fresh_steps)
        if count >= self.worth_saying:
            yield self.finding(
                f"The same edit of {step.path} was made {count} times, and changed the file each time.",
                identity=f"same edit {step.call.digest:x}",
                clears="Look at the file as it is now before you edit it again.",
                lasted=count,
                count=count,
            )

    def settings_error(self, sizes: Sizes) -> str | None:
        """The window must be large enough, and the session must keep as many steps."""
        return window_error("limit", self.limit, "window", self.window, sizes)


def _folder(step: Step) -> str | None:
    return step.call.folder_of(step.meaning.path or "")
