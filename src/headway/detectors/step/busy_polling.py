"""A status that is asked for again and again, without waiting in between.

Why it matters: each question costs a turn and the answer needs time; nothing is wrong except the pace.
Fires: at the `limit`-th equal question for a status with the same answer, apart from times and ids, when no call in
between waited and no pause of `session.poll_gap` seconds is known. This is advice, never a reason to refuse or stop.
Clears: when the answer differs, with a call that waits, when something was changed, and when the user speaks.
Blind to: pauses of which neither a call nor a time tells.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.repeats import repeats_of, separate_asks
from headway.core.session import Session
from headway.core.sizes import Sizes
from headway.core.step import Step


class BusyPolling(Detector):
    """The same question for a status, over and over, with no pause."""

    severity: Severity = Severity.HIGH
    advisory: bool = True
    limit: int = 15
    """Equal questions with equal answers before we speak."""
    confidence = 0.9
    clears = "Wait before you ask again, for example with `sleep 30`."
    kinds = frozenset(("poll",))

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count how often this was asked without a pause."""
        if step.meaning.waits or session.rested(step, session.sizes.poll_gap) or session.turn.asked_for(step):
            return
        repeats = repeats_of(session, step)
        count = separate_asks(repeats)
        if count >= self.limit:
            aside = "" if all(other.digest == step.digest for other in repeats) else ", times and ids aside"
            yield self.finding(
                f"The same status was asked for {count} times without a pause, and the answer was the same{aside}.",
                identity=f"call:{step.call.digest:x}",
                count=count,
                tool_name=step.tool_name,
            )

    def settings_error(self, sizes: Sizes) -> str | None:
        """It takes two to repeat, and the session must keep as many steps as are needed."""
        if self.limit < 2:
            return f"limit is {self.limit}, but one question repeats nothing"
        if self.limit > sizes.window_size:
            return f"limit is {self.limit}, but the session keeps only session.window_size = {sizes.window_size} steps"
        return None
