"""A long series of failed calls, whatever the errors are.

Why it matters: something basic is not what the agent assumes (a folder, a tool, a permission), and each new attempt
relies on the same assumption.
Fires: at `limit` failed calls in a row, or twice as many if the cause is the network, a rate limit or a busy machine,
or if so many of them only lacked an argument that the others are fewer. Also if `most` of the last `window` calls
failed and returned nothing new. If the calls go through a list, one item each, it is advice only.
Clears: with a call that succeeds, with tests that do better than before, after a compaction, and when the user sends a
message. Calls in one parallel batch count once.
Blind to: denied calls, retries after a pause, a first look at something that turns out not to exist (that is an answer;
a refused permission is not), and commands that change files before they fail.
"""

from itertools import pairwise

from headway.core.detector import Detector, Findings
from headway.core.finding import Finding, Severity
from headway.core.limits import Sizes
from headway.core.repeats import had_effect, in_a_row, separate_asks, that_ran
from headway.core.session import Session
from headway.core.step import Step
from headway.core.testing import did_better
from headway.tools.error_shapes import is_refusal


class ErrorRun(Detector):
    """Failed calls in a row."""

    severity: Severity = Severity.HIGH
    limit: int = 8
    """Failed calls in a row that trigger a finding."""
    most: int = 11
    """Failed calls without new output among the last `window` that trigger a finding."""
    window: int = 15
    """Number of recent calls for `most`."""
    confidence = 0.85
    clears = "Find out what these failures have in common before you try again."
    only_failures = True

    def on_step(self, step: Step, session: Session) -> Findings:
        """Check the series of failures that this step belongs to."""
        if session.consecutive_errors < self.limit and not session.failed_lately(self.most, self.window):
            return
        if step.denied or session.is_expected_repeat(step) or step.is_an_answer:
            return
        if had_effect(session, step):  # the command changed something before it failed
            return
        enough = self.limit * 2 if step.transient else self.limit
        recent = _failed_in_a_row(session) if session.consecutive_errors >= enough else []
        if recent and separate_asks(self._weighed(recent)) >= enough and in_a_row(session, recent[0], step):
            count = len(recent)
            what = f"The last {count} calls{that_ran(session.steps[-count:])} all failed{_the_same_way(recent)}."
            yield self._series(what, "stall:failures", recent)
        elif not step.transient:
            yield from self._most_failed(session)

    def settings_error(self, sizes: Sizes) -> str | None:
        """The session must keep enough steps."""
        if self.limit <= sizes.window_size:
            return None
        return f"limit is {self.limit}, but the session keeps only session.window_size = {sizes.window_size} steps"

    def _weighed(self, recent: list[Step]) -> list[Step]:
        """The failures that count: a malformed call tells nothing about the work, until the series is twice as long."""
        failed = [step for step in recent if not _is_answer(step, recent)]
        return failed if len(failed) >= 2 * self.limit else [step for step in failed if not step.malformed]

    def _most_failed(self, session: Session) -> Findings:
        """Failures with an occasional success in between."""
        recent = [step for step in session.steps[-self.window :] if step.number >= session.turn.first_step]
        failed = [step for step in recent if step.failed and not (step.denied or step.transient or step.meaning.runs)]
        failed = [step for step in failed if not (step.news or step.malformed or _is_answer(step, failed))]
        if len(failed) >= self.most and separate_asks(failed) >= self.most and in_a_row(session, recent[0], recent[-1]):
            count = sum(step.failed and not step.denied for step in recent)
            yield self._series(f"{count} of the last {len(recent)} calls failed.", "most", failed)

    def _series(self, message: str, identity: str, failed: list[Step]) -> Finding:
        from headway.core.survey import GO_ON, identity_of, is_survey  # rarely needed

        survey = is_survey(failed)
        return self.finding(
            message,
            identity=identity_of(failed[-1]) if survey else identity,
            advisory=self.advisory or survey,
            clears=GO_ON if survey else None,
            count=len(failed),
            all_different=len({step.call.digest for step in failed}) == len(failed),
        )


def _is_answer(step: Step, failed: list[Step]) -> bool:
    """Whether a failure is an answer that the agent has taken: it did not ask again."""
    return step.is_an_answer and sum(map(step.same_call, failed)) == 1


def _failed_in_a_row(session: Session) -> list[Step]:
    """The latest failures, with no success in between, that the agent remembers. Better tests are a success."""
    failed = [step for step in session.fresh_steps if step.failed and not step.denied][-session.consecutive_errors :]
    tested = [step for step in failed if step.tests is not None]
    better = [
        now.number for last, now in pairwise(tested) if now.tests and last.tests and did_better(now.tests, last.tests)
    ]
    return [step for step in failed if not better or step.number > better[-1]]


def _the_same_way(recent: list[Step]) -> str:
    return ", each time because the environment refused it" if all(is_refusal(step.message) for step in recent) else ""
