"""Polling a status again and again without waiting.

Why it matters: each poll costs a turn, and the status needs time to change. Only the pace is wrong.
Fires: at the `limit`-th equal status query with the same answer (times and ids aside), if no call in between waited and
no pause of `session.poll_gap` seconds is known since the query before. Advice only: it never causes a refusal or stop.
Clears: when the answer changes, after a call that waits (unless its times show that it came back at once), when
`session.wait_gap` seconds lie between two queries, after a change, and when the user sends a message.
Blind to: pauses that show neither in a call nor in a timestamp.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.limits import Sizes
from headway.core.repeats import asked_in, at_least, repeats_of, same_answer_since, separate_asks
from headway.core.session import Session
from headway.core.step import Step

LONGEST = 1e9
"""Seconds above which times are not believed."""


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
        if step.let_time_pass or session.turn.asked_for(step):
            return
        repeats = _without_wait(repeats_of(session, step, self.limit), session.sizes.wait_gap)
        count = separate_asks(repeats)
        if count >= self.limit and not _rested_before(step, repeats, session):
            aside = "" if all(other.digest == step.digest for other in repeats) else ", times and ids aside"
            within = _within(repeats)
            about = "" if within else at_least(session, same_answer_since(session, step.call))
            yield self.finding(
                f"The same status was queried {about}{count} times{within}, and the answer was the same{aside}.",
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


def _without_wait(repeats: list[Step], wait: float) -> list[Step]:
    """The queries from the latest one on that came long after the one before, whatever was called in between."""
    for place in range(len(repeats) - 1, 0, -1):
        ended, asked = repeats[place - 1].at, _asked_at(repeats[place])
        if ended is not None and asked is not None and asked - ended >= wait:
            return repeats[place:]
    return repeats


def _rested_before(step: Step, repeats: list[Step], session: Session) -> bool:
    """Whether there was a pause after the query before this one, also if other calls followed it."""
    before = max((other.number for other in repeats if asked_in(other) != asked_in(step)), default=step.number)
    return any(session.rested(one, session.sizes.poll_gap) for one in session.steps if one.number > before)


def _within(repeats: list[Step]) -> str:
    """How long it took to ask, as a part of the sentence; empty if the times are not known."""
    first, last = _asked_at(repeats[0]), repeats[-1].at
    if first is None or last is None or not 0 <= last - first < LONGEST:
        return ""
    seconds = int(last - first) + 1
    return f" within {seconds} second{'s' * (seconds > 1)}"


def _asked_at(step: Step) -> float | None:
    return step.at if step.call.at is None else step.call.at
