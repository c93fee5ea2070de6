"""The same call with the same result, again and again.

Why it matters: a call that has just given this result will give it again; nothing is learnt from asking.
Fires: at the `limit`-th equal call in a row whose result is equal too (times and ids aside); at three times as many
where each call may have changed something more, or goes on to the next key, page or row; at twice as many where the
result is a line or two with a number that may have been measured.
Clears: when another call is made or the result differs, after a compaction, and when the user speaks.
Blind to: waiting (polls do not count), repeats that the user asked for ("run it ten times"), retries after trouble of
the network, calls of one parallel batch (they count once), and repeats with other calls in between (see doom_loop).
"""

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step


class ExactCycle(Detector):
    """Equal calls with equal results, one after the other."""

    severity: Severity = Severity.HIGH
    limit: int = 3
    """Equal calls in a row before we speak; the current one counts."""

    streak: int = state(0)
    confidence = 0.95

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count how long the same call has given the same result."""
        previous = session.previous(step)
        if previous is None or previous.number < session.fresh_from or not self._counts(step, previous, session):
            self.streak = 1
        elif not session.in_same_batch(step, previous):
            self.streak = self.streak + 1 if step.same_result(previous) else 1
        if self.streak >= self.limit and self.streak >= self.limit * _patience(step, previous):
            how = "failed in the same way" if step.failed else "gave the same result"
            yield self.finding(
                f"The same {step.tool_name} call {how} {self.streak} times in a row.",
                identity=f"call:{step.call.digest:x}",
                repeats=[step.call.digest],
                count=self.streak,
                tool_name=step.tool_name,
            )

    def _counts(self, step: Step, previous: Step, session: Session) -> bool:
        """The same call again, unless it waits or meets trouble of the network."""
        return step.same_call(previous) and not (session.waits(step) or step.transient)


def _patience(step: Step, previous: Step | None) -> int:
    """How many times as often as usual a call may be made: one that may move something, or measures something."""
    if _changes_more(step) or step.may_move_on:
        return 3
    return 1


def _changes_more(step: Step) -> bool:
    """A change that may add to the one before, unlike a file that is written whole once more."""
    rewrites = step.call.edit is not None and step.call.edit[0] == 0
    return step.call.meaning.changes and not (step.failed or step.denied or rewrites)
