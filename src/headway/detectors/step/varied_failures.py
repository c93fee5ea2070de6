"""Different arguments, but always the same kind of failure.

Why it matters: the agent varies the arguments, but the cause lies elsewhere; more variants will fail as well.
Fires: at the `limit`-th failure of one tool within the last `window` steps with the same error (quoted texts aside) on
the same path, if nothing was changed in between and at least two of the calls differ. Below `high` failures the finding
is recorded as low, because trying a few variants is normal. If the calls go through a list, one item each, or the tool
did not take the arguments, it is advice only.
Clears: when a file is changed, when a read of that path shows something new, after a compaction, and when the user
sends a message.
Blind to: answers that there is none, and failures of the network or the machine, which may be retried.
"""

from collections.abc import Sequence

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.limits import Sizes, window_error
from headway.core.repeats import at_least, instead_of, separate_asks, unchanged_since
from headway.core.session import Session
from headway.core.step import Step, quoted


class VariedFailures(Detector):
    """Different attempts, same failure."""

    severity: Severity = Severity.HIGH
    limit: int = 4
    """Failures of the same kind that trigger a finding of low severity, which is only recorded."""
    high: int = 6
    """Failures of the same kind from which the finding has the full severity."""
    window: int = 10
    """Number of recent steps to look at."""
    confidence = 0.7
    clears = "Find the cause before you try another variant. A change resets the count."
    only_failures = True

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count failures of the same kind with different arguments."""
        since, recent = unchanged_since(session), session.steps[-self.window :]
        if not session.failed_lately(self.limit, self.window, since) or not step.shape:
            return
        alike = [other for other in recent if other.failed and other.number > since and _alike(step, other)]
        if len(alike) < self.limit or step.transient or (step.is_an_answer and step.path is None):
            return
        looked_at = _looked_at(step, recent)
        alike = [other for other in alike if other.number > looked_at]
        count, variants = separate_asks(alike), len({other.call.digest for other in alike})
        if count >= self.limit and variants > 1:
            from headway.core.survey import GO_ON, identity_of, is_survey  # rarely needed

            survey = count >= self.high and is_survey(alike)
            about = at_least(session, max(since, looked_at), self.window).capitalize()
            yield self.finding(
                f"{about}{count} {step.tool_name} calls, {variants} of them different, failed in the same way: "
                f"{quoted(step.shape, 100)}.",
                identity=identity_of(step)
                if survey or step.malformed
                else f"{step.tool_name} {step.meaning.path} {step.shape}",
                severity=self.severity if count >= self.high else Severity.LOW,
                advisory=self.advisory or survey or step.malformed,
                clears=GO_ON if survey else instead_of(step),
                count=count,
                all_different=variants == len(alike),
                tool_name=step.tool_name,
                error_shape=step.shape,
            )

    def settings_error(self, sizes: Sizes) -> str | None:
        """The window must be large enough, and the session must keep as many steps."""
        if self.limit < 2:
            return f"limit is {self.limit}, but a variation takes at least 2 failures"
        needed = "high" if self.high > self.limit else "limit"
        return window_error(needed, max(self.limit, self.high), "window", self.window, sizes)


def _looked_at(step: Step, recent: Sequence[Step]) -> int:
    """The last step that showed new content of the same file: attempts after it are based on more knowledge."""
    looks = (other.number for other in recent if other.path == step.path and other.news and other.kind == "read")
    return max(looks, default=0) if step.path else 0


def _alike(step: Step, other: Step) -> bool:
    same_place = other.call.tool_name == step.call.tool_name and other.call.meaning.path == step.call.meaning.path
    return same_place and other.shape == step.shape
