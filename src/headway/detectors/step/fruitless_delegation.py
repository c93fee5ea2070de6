"""Delegating the same task again and again without a result.

Why it matters: rephrasing the task does not change what can be found, and each attempt costs a whole run of another
agent.
Fires: at the `limit`-th delegation since the last change of a file that returned the same answer, if the answer says
that something was not found or could not be done. Advice only.
Clears: when an answer differs, when a file is changed, after a compaction, and when the user sends a message.
Blind to: answers that say the same in different words, and delegations that were denied.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.repeats import asked_in, result_digest, same_files_since
from headway.core.session import Session
from headway.core.step import KEPT_OUTPUT, Step
from headway.rolling.lazy import regex
from headway.rolling.normalise import digest, normalise

_FRUITLESS = regex(
    r"(?i:\b(?:could|can|did)(?: not|n't|not) (?:find|locate|do|complete|access|determine)"
    r"|\bunable to \w+|\bfailed to (?:find|locate)|\bnothing (?:was )?found\b"
    r"|(?<=\bI )(?:could not|couldn't|was(?: not|n't) able to) \w+)"
)


class FruitlessDelegation(Detector):
    """Delegations that all return the same "could not find it"."""

    severity: Severity = Severity.HIGH
    advisory: bool = True
    limit: int = 5
    """Delegations in a row with the same fruitless answer that trigger a finding."""
    confidence = 0.8
    clears = "Look for it yourself, or ask the user, before you delegate this again."
    kinds = frozenset(("delegate",))

    answer: int = state(0)
    count: int = state(0)
    last: int = state(0)
    """Step of the latest of these answers."""
    last_batch: str = state("")

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count delegations in a row that returned this answer; one that was denied did not run."""
        if step.denied:
            return
        says = None if step.opaque else _FRUITLESS.search(step.said[:1_000])
        if says is None:
            self.last = 0
            return
        answer, asked = _answer(step), asked_in(step)
        if answer != self.answer or self.last <= same_files_since(session):
            self.count = 1
        elif asked != self.last_batch:
            self.count += 1
        self.answer, self.last, self.last_batch = answer, step.number, asked
        if self.count >= self.limit:
            yield self.finding(
                f"The last {self.count} delegations that were answered got the same answer, times and ids aside. "
                f'It says "{says[0]}".',
                identity=f"{answer:x}",
                count=self.count,
                tool_name=step.tool_name,
            )


def _answer(step: Step) -> int:
    """Fingerprint of the answer; numbers in an error are content here, as they are in other answers."""
    if step.failed and step.size <= KEPT_OUTPUT:
        return digest(normalise(step.said))
    return step.digest if step.failed else result_digest(step)
