"""Another argument each time, and always the same kind of failure.

Why it matters: the agent varies what it passes, but the cause lies elsewhere; more variants will fail as well.
Fires: at the `limit`-th failure of one tool within the last `window` steps that has the same error once quoted texts
are left out, about the same file or with similar arguments, while nothing was changed. Up to `high` times this is
recorded as low: trying several variants is honest work.
Clears: when a file is changed, after a compaction, and when the user speaks.
Blind to: failures of the world around (network, limits), which may honestly be retried.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.repeats import separate_asks, unchanged_since
from headway.core.session import Session
from headway.core.sizes import Sizes, window_error
from headway.core.step import Step, quoted


class VariedFailures(Detector):
    """Different attempts, one failure."""

    severity: Severity = Severity.HIGH
    limit: int = 4
    """Failures of the same kind before it is recorded."""
    high: int = 8
    """Failures of the same kind before we speak."""
    window: int = 10
    """Latest steps that are looked at."""
    confidence = 0.7
    clears = "Find out what causes it before you try another variant; after a change it is counted anew."
    only_failures = True

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count failures of the same kind that came from different arguments."""
        if step.transient or not step.shape or (step.kind == "web" and step.is_an_answer):
            return
        since = unchanged_since(session)
        alike = [other for other in session.steps[-self.window :] if other.number > since and _alike(step, other)]
        count = separate_asks(alike)
        variants = len({other.call.digest for other in alike})
        if count >= self.limit and variants > 1:
            yield self.finding(
                f"{count} {step.tool_name} calls, {variants} of them different, failed in the same way: "
                f"{quoted(step.shape, 100)}.",
                identity=f"{step.tool_name} {step.meaning.path} {step.shape}",
                severity=self.severity if count >= self.high else Severity.LOW,
                count=count,
                tool_name=step.tool_name,
                error_shape=step.shape,
            )

    def settings_error(self, sizes: Sizes) -> str | None:
        """The window must hold as many steps as are needed, and the session must keep the window."""
        if self.limit < 2:
            return f"limit is {self.limit}, but one failure varies nothing"
        needed = "high" if self.high > self.limit else "limit"
        return window_error(needed, max(self.limit, self.high), "window", self.window, sizes)


def _alike(step: Step, other: Step) -> bool:
    same_place = other.tool_name == step.tool_name and other.meaning.path == step.meaning.path
    return same_place and other.failed and other.shape == step.shape
