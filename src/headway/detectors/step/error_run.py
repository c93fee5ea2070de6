"""A long run of failures, whatever they are.

Why it matters: something basic is not as the agent believes (a folder, a tool, a permission), and each new attempt
builds on the same belief.
Fires: at `limit` failed calls in a row; at twice as many where the network, a limit or a busy machine is the reason.
Where `most` of the last `window` calls failed and told nothing new, it is said too, and is no reason to stop.
Clears: with a call that does not fail, and when the user speaks. Calls of one parallel batch count once.
Blind to: refused calls, tries with a pause before each, looks at what
was not looked at before (that it is not there is an answer; that it is refused is none), and commands that change files
and then fail in what they run.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.repeats import separate_asks, that_ran
from headway.core.session import Session
from headway.core.step import Step
from headway.tools.infrastructure import is_refusal


class ErrorRun(Detector):
    """Nothing but errors for a long time."""

    severity: Severity = Severity.HIGH
    limit: int = 8
    """Failed calls in a row before we speak."""
    most: int = 11
    """Failed calls without news among the last `window` before we speak, whatever succeeded in between."""
    window: int = 15
    """Latest calls of which most may not fail."""
    confidence = 0.85
    clears = "Check what they have in common before you try another one."
    only_failures = True

    def on_step(self, step: Step, session: Session) -> Findings:
        """Look at the run of failures that this step belongs to."""
        if step.denied or session.waits(step) or step.is_an_answer:
            return
        if step.number == session.changes.last_effect:  # it changed something, and what failed is a look at the change
            return
        count = min(session.consecutive_errors, session.step_count - session.turn.first_step + 1)
        enough = self.limit * 2 if step.transient else self.limit
        failed = [other for other in session.steps if other.failed and not other.denied] if count >= enough else []
        recent = failed[-count:]
        if recent and count - (len(recent) - separate_asks(recent)) >= enough:
            yield self.finding(
                f"The last {count} calls{that_ran(session.steps[-count:])} all failed{_the_same_way(recent)}.",
                identity="stall:failures",
                count=count,
            )
        elif not step.transient:
            yield from self._most_failed(session)

    def _most_failed(self, session: Session) -> Findings:
        """Failures with an occasional success in between."""
        errors = session.errors
        if len(errors) < self.most or errors[-self.most].number <= session.step_count - self.window:
            return  # mostly, they lie further apart
        recent = [step for step in session.steps[-self.window :] if step.number >= session.turn.first_step]
        failed = [step for step in recent if step.failed and not (step.denied or step.transient or step.meaning.runs)]
        failed = [step for step in failed if not step.news]  # a new error is a step of the search for its cause
        if len(failed) >= self.most and separate_asks(failed) >= self.most:
            message = f"{len(failed)} of the last {len(recent)} calls failed and told nothing new."
            yield self.finding(message, identity="most", advisory=True, count=len(failed))


def _the_same_way(recent: list[Step]) -> str:
    return ", each time because the environment refused it" if all(is_refusal(step.message) for step in recent) else ""
