"""The same error from the same tool, several times.

Why it matters: an error that comes back was not understood the first time.
Fires: when one tool returned the same error (details such as folders, ids and times aside) `limit` times within the
last `error_window` steps and nothing was changed in between. Below `high` errors the finding is recorded as low: a few
different attempts at one problem are normal, and exact_cycle reports the same attempt again. If all calls differ, one
fewer is enough, and if they go through a list, one item each, it is advice only, and so it is where the tool did not
take the arguments.
Clears: when a file changes, after a compaction, and when the user sends a message.
Blind to: the same cause behind differently worded errors, answers that there is none, and failures of the network or
the machine, which may be retried (see error_run).
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.limits import Sizes, window_error
from headway.core.repeats import instead_of, separate_asks, unchanged_since
from headway.core.session import Session
from headway.core.step import Step, quoted


class RepeatedError(Detector):
    """One error, several times."""

    severity: Severity = Severity.HIGH
    limit: int = 3
    """Equal errors that trigger a finding of low severity, which is only recorded."""
    high: int = 6
    """Equal errors from which the finding has the full severity."""
    error_window: int = 10
    """Number of recent steps to look at."""
    confidence = 0.85
    clears = "Find the cause before you try again. A change resets the count."
    only_failures = True

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count this error among the recent steps."""
        since, tool, signature = unchanged_since(session), step.tool_name, step.signature
        if not signature or not session.failed_lately(self.limit, self.error_window, since):
            return
        if step.transient or step.denied or session.turn.asked_for(step) or step.is_an_answer:
            return
        same = [
            other
            for other in session.steps[-self.error_window :]
            if other.failed and other.number > since and other.call.tool_name == tool and other.signature == signature
        ]
        same = [other for other in same if not other.is_an_answer]
        count = separate_asks(same) if len(same) >= self.limit else 0
        if count >= self.limit:
            from headway.core.survey import GO_ON, identity_of, is_survey  # rarely needed

            all_different = len({other.call.digest for other in same}) == len(same)
            survey = all_different and is_survey(same)
            aside = (
                ""
                if all(other.message == step.message for other in same)
                else ", details such as folders, line numbers, ids and times aside"
            )
            yield self.finding(
                f"{step.tool_name} failed {count} times in the last {self.error_window} steps with the same error"
                f"{aside}: {quoted(step.message)}.",
                identity=identity_of(step) if survey or step.malformed else f"{step.tool_name} {step.signature[:200]}",
                severity=self.severity if count >= self.high - (all_different and not survey) else Severity.LOW,
                advisory=self.advisory or survey or step.malformed,
                clears=GO_ON if survey else instead_of(step),
                error_signature=step.signature,
                count=count,
                all_different=all_different,
                tool_name=step.tool_name,
            )

    def settings_error(self, sizes: Sizes) -> str | None:
        """The window must be large enough, and the session must keep as many steps."""
        needed = "high" if self.high > self.limit else "limit"
        return window_error(needed, max(self.limit, self.high), "error_window", self.error_window, sizes)
