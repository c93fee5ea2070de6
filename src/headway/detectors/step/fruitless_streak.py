"""Many calls that show almost nothing new.

Why it matters: dozens of different commands can be as fruitless as one that is repeated.
Fires: when at most `share` of the output of each of the last `limit` calls was new, and no change of a file was seen.
Advice only, because how new an output looks differs a lot between agents. It is therefore told only beside another
finding, or once at 20 of them that had nothing to do but to show something. A question that was not asked before and
that a line or a list of names can answer is none of these, and a plan or a thought is half of one.
Clears: with a change, with an action on a page, a service or a process, with better test results, and with a call that
shows something new or has no result.
Calls in one parallel batch count once.
Blind to: what the outputs mean, and what programs change without saying so.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.repeats import acted, follows_gap, in_a_row, may_act
from headway.core.session import Session
from headway.core.step import Step
from headway.rolling.lazy import regex
from headway.rolling.normalise import digest
from headway.tools.kinds import Kind

_LOOKS: frozenset[Kind] = frozenset(("read", "search", "list", "web", "plan"))
_NUMBER = regex(r"\d+")


class FruitlessStreak(Detector):
    """Calls in a row with hardly any new output."""

    severity: Severity = Severity.MEDIUM
    advisory: bool = True
    limit: int = 12
    """Calls in a row without much new output that trigger a finding."""
    share: float = 0.15
    """Share of new lines (0-1) up to which an output counts as not new."""
    confidence = 0.4
    clears = "Try a different approach before you continue, or say what is missing."
    worth_saying = 20

    streak: int = state(0)
    looks: int = state(0)
    noted: int = state(0)

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count calls that showed nothing new and are not known to have changed anything."""
        shows = step.novelty > self.share or step.differs or step.opaque
        if shows and step.kind == "plan":
            shows = self._says_something_else(step)
        fruitful = step.changed or shows or acted(session, step) or session.tests.improved_at == step.number
        if fruitful or (self.streak and follows_gap(session, step)):
            self.streak = self.looks = 0
        elif not (session.continues_batch(step) or session.is_expected_repeat(step) or step.may_advance_cursor):
            self.streak += 1
            self._count_look(step)
        if self.streak < self.limit or not in_a_row(session, session.steps[-self.streak :][0], step):
            return ()
        message = f"The last {self.streak} calls showed hardly anything new, and no change of a file was seen."
        return (self.finding(message, identity="stall:no news", lasted=self.looks // 2, count=self.streak),)

    def on_user_turn(self) -> None:
        """A new request starts a new count."""
        self.streak = self.looks = 0

    def _says_something_else(self, step: Step) -> bool:
        """Whether the result of a plan or a thought differs from the one before in more than the tool's own count."""
        before, self.noted = self.noted, digest(_NUMBER.sub("0", step.said))
        return step.failed or before != self.noted

    def _count_look(self, step: Step) -> None:
        """Count calls that had nothing to do but to show something."""
        is_look = step.kind in _LOOKS and not may_act(step.meaning)
        if step.is_first_success and not is_look:
            self.looks = 0  # its effect need not show in the output
        elif step.again and step.novelty > 0 and step.kind != "plan":
            self.looks = 0  # the same question has another answer now
        elif step.again or not _answers_something_else(step):
            self.looks += 1 if step.kind == "plan" else 2


def _answers_something_else(step: Step) -> bool:
    """Whether it asked something new that a line or a list of names can answer (yes, or none), or read other lines."""
    if step.kind == "plan":
        return False
    return step.kind == "read" or not step.line_count or (step.kind in ("search", "list") and " " not in step.said)
