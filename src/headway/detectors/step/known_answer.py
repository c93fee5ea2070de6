"""Asking again for an answer that is already known.

Why it matters: the call has returned the same result several times, nothing has changed since, and the steps in between
led nowhere either.
Fires: at the `limit`-th equal call with exactly the same result (or the same error) since the last change, even with
other calls in between. A call that moves on to the next key, page or row needs three times as many and is advice only.
An empty result counts too. A program that may change something itself counts only while nothing new is seen. A search
beside which only notes, messages and the like were written, and a call of an unknown tool beside which it was only
called with other arguments, need three times as many, too, and are advice only.
Clears: when a file is changed, with an action on a page, a service or a process, after a call that waits, after a
compaction, and when the user sends a message.
Blind to: waiting, planning and questions to a person, edits, and failures of the network or the machine.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.limits import Sizes
from headway.core.repeats import at_least, instead_of, repeats_of, same_answer_since, separate_asks
from headway.core.session import Session
from headway.core.step import Step


class KnownAnswer(Detector):
    """The same call with the same result, with other calls in between."""

    severity: Severity = Severity.HIGH
    limit: int = 4
    """Equal calls with equal results that trigger a finding."""
    confidence = 0.8
    clears = "Run it again after a change and it will be accepted."
    only_repeats = True

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count how often this call returned this result since the last change."""
        if step.kind in ("plan", "edit", "write", "ask"):
            return
        repeats = repeats_of(session, step, self.limit)
        if len(repeats) < self.limit and (step.kind == "search" or step.meaning.unknown):
            yield from self._beside_unsure(step, session)
        if len(repeats) < self.limit or session.is_expected_repeat(step):
            return
        count = separate_asks([other for other in repeats if step.failed or other.digest == step.digest])
        if count >= self.limit * (3 if step.may_advance_cursor else 1) and not step.transient:
            result = "gave the same result" if step.size else "returned nothing"
            what = "was denied" if step.denied else "failed in the same way" if step.failed else result
            about = at_least(session, same_answer_since(session, step.call))
            yield self.finding(
                f"{step.title} {what} {about}{count} times, with no change seen in between.",
                identity=f"call:{step.call.digest:x}",
                repeats=[step.call.digest],
                clears=instead_of(step),
                advisory=self.advisory or step.may_advance_cursor or step.malformed,
                count=count,
                tool_name=step.tool_name,
            )

    def _beside_unsure(self, step: Step, session: Session) -> Findings:
        """What a search finds does not depend on notes; but only their names tell that they are notes.

        What an unknown tool does may change what it answers; if its answer has stayed the same so often, it does not.
        """
        if session.is_expected_repeat(step) or step.may_advance_cursor or step.failed:
            return
        repeats = repeats_of(session, step, self.limit * 3, beside_unsure=True)
        count = separate_asks([other for other in repeats if other.digest == step.digest])
        if count >= self.limit * 3 and not step.transient:
            is_search = step.kind == "search"
            between = "was saved or sent" if is_search else f"{step.tool_name} was called with"
            clears = "Search for something else, or report what the search gave."
            yield self.finding(
                f"{step.title} {'gave the same result' if step.size else 'returned nothing'} {count} times, whatever "
                f"{between} in between.",
                identity=f"call:{step.call.digest:x}",
                repeats=[step.call.digest],
                clears=clears if is_search else "Use what it gave, or report it.",
                advisory=True,
                count=count,
                tool_name=step.tool_name,
            )

    def settings_error(self, sizes: Sizes) -> str | None:
        """A repeat takes two calls, and the session must keep enough steps."""
        if self.limit < 2:
            return f"limit is {self.limit}, but a repeat takes at least 2 calls"
        if self.limit > sizes.window_size:
            return f"limit is {self.limit}, but the session keeps only session.window_size = {sizes.window_size} steps"
        return None
