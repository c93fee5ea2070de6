"""A question whose answer is known, asked again among other things.

Why it matters: the call has given this very answer several times and nothing has changed since; the steps in between
did not lead anywhere either.
Fires: at the `limit`-th equal call with exactly the same result (or the same error) since the last change, other calls
in between or not; at three times as many where each call goes on to the next key, page or row. A success that says
nothing counts like any other. A program that may change something itself counts only while nothing new was seen.
Clears: when a file is changed, after a call that waits, after a compaction, and when the user speaks.
Blind to: waiting and planning, the edits themselves, and failures of the world around.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.repeats import repeats_of, separate_asks
from headway.core.session import Session
from headway.core.sizes import Sizes
from headway.core.step import Step


class KnownAnswer(Detector):
    """The same call with the same result, now and then."""

    severity: Severity = Severity.HIGH
    limit: int = 4
    """Equal calls with equal results before we speak."""
    confidence = 0.8
    clears = "Ask it again after a change and it will be accepted."

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count how often this very thing was seen since anything changed."""
        if not step.again or step.kind in ("plan", "edit", "write") or session.waits(step):
            return
        same = [other for other in repeats_of(session, step) if step.failed or other.digest == step.digest]
        count = separate_asks(same)
        if count >= self.limit * (3 if step.may_advance_cursor else 1) and not step.transient:
            what = "failed in the same way" if step.failed else "gave the same result" if step.size else "said nothing"
            yield self.finding(
                f"{step.title} {what} {count} times, with no change seen in between.",
                identity=f"call:{step.call.digest:x}",
                repeats=[step.call.digest],
                advisory=self.advisory or step.may_advance_cursor,
                count=count,
                tool_name=step.tool_name,
            )

    def settings_error(self, sizes: Sizes) -> str | None:
        """It takes two to repeat, and the session must keep as many steps as are needed."""
        if self.limit < 2:
            return f"limit is {self.limit}, but the first answer was not known before"
        if self.limit > sizes.window_size:
            return f"limit is {self.limit}, but the session keeps only session.window_size = {sizes.window_size} steps"
        return None
