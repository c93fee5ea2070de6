"""The same call with the same result, again and again.

Why it matters: a call that has just returned this result will return it again; repeating it teaches nothing.
Fires: at the `limit`-th equal call in a row whose result is equal too (times and ids aside). A call that may change
something each time, or that moves on to the next key, page, row or portion (its result says what was done), needs
three times as many; for the latter it is advice only, as is a call whose arguments its tool did not take.
Clears: when another call is made, a result differs or is missing, after a compaction, and when the user sends a
message. A refused call is accepted again after a change, or when it was not requested for ten steps.
Blind to: status queries that are not refused (see busy_polling), repeats that the user asked for ("run it ten times"),
retries after network errors, calls in one parallel batch (they count once), results that were not recorded as text, and
repeats with other calls in between (see doom_loop).
"""

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.limits import Sizes
from headway.core.repeats import in_a_row, instead_of, is_remembered
from headway.core.session import Session
from headway.core.step import Step


class ExactCycle(Detector):
    """Equal calls with equal results in a row."""

    severity: Severity = Severity.HIGH
    limit: int = 3
    """Equal calls in a row that trigger a finding, including the current one."""

    streak: int = state(0)
    literal: bool = state(True)
    confidence = 0.95
    clears = "Run it again after a change and it will be accepted."
    only_repeats = True

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count how long the same call has given the same result."""
        previous = session.previous(step)
        if previous is None or not self._counts(step, previous, session):
            self.streak, self.literal = 1, True
            return
        if not previous.again:  # it was the first of its kind
            self.streak, self.literal = 1, True
        if not step.same_result(previous):
            self.streak = 1
        elif not session.in_same_batch(step, previous):
            self.streak += 1
        self.literal = self.streak == 1 or (self.literal and previous.digest == step.digest)
        if self.streak >= self.limit and self.streak >= self.limit * _patience(step):
            yield self.finding(
                f"{step.title} {_how(step, self.literal)} {self.streak} times in a row{step.why_it_failed}.",
                identity=f"call:{step.call.digest:x}",
                repeats=[step.call.digest],
                advisory=self.advisory or step.may_advance_cursor or step.malformed,
                clears=_clears(step),
                count=self.streak,
                tool_name=step.tool_name,
            )

    def settings_error(self, sizes: Sizes) -> str | None:
        """A repeat takes two calls."""
        return f"limit is {self.limit}, but a repeat takes at least 2 calls" if self.limit < 2 else None

    def _counts(self, step: Step, previous: Step, session: Session) -> bool:
        """The same call again, unless it waits, failed because of the network, or the agent has forgotten the first."""
        still_known = step.same_call(previous) and is_remembered(session, previous.number)
        return (
            still_known
            and in_a_row(session, previous, step)
            and not (session.is_expected_repeat(step) or step.transient)
        )


def _clears(step: Step) -> str | None:
    """What to do instead; None if a change is enough."""
    return "Check that it does what you expect before you continue." if step.may_advance_cursor else instead_of(step)


def _how(step: Step, literal: bool) -> str:
    if step.denied:
        return "was denied"
    if step.failed:
        return "failed in the same way"
    return "gave the same result" if literal else "gave the same result, apart from details such as times and ids,"


def _patience(step: Step) -> int:
    """Factor for the limit: higher for a call that may change something or move on each time."""
    return 3 if _changes_more(step) or step.may_advance_cursor else 1


def _changes_more(step: Step) -> bool:
    """A change that may add to the previous one, unlike writing the whole file again."""
    rewrites = step.call.edit is not None and step.call.edit[0] == 0
    return step.call.meaning.changes and not (step.failed or step.denied or rewrites)
