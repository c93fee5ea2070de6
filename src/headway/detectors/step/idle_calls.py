"""Commands that have no effect and no result.

Why it matters: `echo 'thinking…'`, `true` or a comment costs a turn and does nothing.
Fires: at the `limit`-th such command, even with different texts, if nothing else was done or learnt in between. A call
that fails or shows only known output does not count as something done. A change to another folder is not counted.
Waiting is not idle, but at the 30th wait without anything else done or learnt, the agent is nudged once.
Clears: with a call that does or shows something or has no result, and when the user sends a message.
Blind to: tools made for thinking, and commands with variables or substitutions.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.repeats import follows_gap
from headway.core.session import Session
from headway.core.step import Step


class IdleCalls(Detector):
    """Commands in a row that do nothing."""

    severity: Severity = Severity.HIGH
    limit: int = 3
    """Such commands that trigger a finding."""
    confidence = 0.9
    clears = "Write it in your answer instead, and call a tool only to do something."
    worth_saying = 30

    streak: int = state(0)
    waits: int = state(0)

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count commands that do nothing, and those that only wait, as long as nothing else is done or learnt."""
        is_idle = not step.failed and step.call.meaning.idle and session.shell.moved != step.number
        waits = step.let_time_pass and not (step.news or step.denied)
        shows = not is_idle and (step.news or step.is_first_success)
        if (self.streak or self.waits) and (shows or follows_gap(session, step)):
            self.streak = 0
            self.waits = self.waits if waits else 0
        if waits:
            return self._waited(step, session)
        return self._idle(step) if is_idle else ()

    def _waited(self, step: Step, session: Session) -> Findings:
        self.waits += not session.continues_batch(step)
        if self.waits >= self.worth_saying:
            yield self.finding(
                f"{self.waits} calls waited and showed nothing new, and no call in between succeeded with anything "
                "new.",
                identity="waits",
                severity=Severity.MEDIUM,
                clears="Wait longer at a time, or check whether what you wait for still runs.",
                lasted=self.waits,
                count=self.waits,
            )

    def _idle(self, step: Step) -> Findings:
        self.streak += 1
        if self.streak >= self.limit:
            yield self.finding(
                f"{self.streak} commands had no effect and printed nothing but their own text, and no call in between "
                "succeeded with anything new.",
                identity="idle",
                count=self.streak,
                tool_name=step.tool_name,
            )

    def on_user_turn(self) -> None:
        """A new request starts a new count."""
        self.streak = self.waits = 0
