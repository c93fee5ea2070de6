"""Polling a status again and again without waiting.

Why it matters: each poll costs a turn, and the status needs time to change. Only the pace is wrong.
Fires: at the `limit`-th equal status query with the same answer (times and ids aside), if no call in between waited and
no pause of `session.poll_gap` seconds is known. Advice only: it never causes a refusal or a stop.
Clears: when the answer changes, after a call that waits, after a change, and when the user speaks.
Blind to: pauses that show neither in a call nor in a timestamp.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.limits import Sizes
from headway.core.repeats import repeats_of, separate_asks
from headway.core.session import Session
from headway.core.step import Step


class BusyPolling(Detector):
    """The same status query, over and over, with no pause."""

    severity: Severity = Severity.HIGH
    advisory: bool = True
    limit: int = 15
    """Equal status queries with equal answers that trigger a finding."""
    confidence = 0.9
    clears = "Wait before you ask again, for example with `sleep 30`."
    kinds = frozenset(("poll",))

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count equal status queries without a pause."""
        if step.meaning.waits or session.rested(step, session.sizes.poll_gap) or session.turn.asked_for(step):
            return
        repeats = _without_pause(repeats_of(session, step, self.limit), session)
        count = separate_asks(repeats)
        if count >= self.limit:
            aside = "" if all(other.digest == step.digest for other in repeats) else ", times and ids aside"
            yield self.finding(
                f"The same status was asked for {count} times without a known pause, and the answer was the same"
                f"{aside}.",
                identity=f"call:{step.call.digest:x}",
                count=count,
                tool_name=step.tool_name,
            )

    def settings_error(self, sizes: Sizes) -> str | None:
        """A repeat takes two queries, and the session must keep enough steps."""
        if self.limit < 2:
            return f"limit is {self.limit}, but a repeat takes at least 2 queries"
        if self.limit > sizes.window_size:
            return f"limit is {self.limit}, but the session keeps only session.window_size = {sizes.window_size} steps"
        return None


def _without_pause(repeats: list[Step], session: Session) -> list[Step]:
    """The queries from the latest one on that came after a pause."""
    rested = [place for place, one in enumerate(repeats) if session.rested(one, session.sizes.poll_gap)]
    return repeats[rested[-1] :] if rested else repeats
