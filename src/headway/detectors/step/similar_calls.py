"""Calls that differ a little and bring back the same thing.

Why it matters: another spelling of a question that has been answered is still the same question.
Fires: at the `limit`-th call of one tool within `window` steps whose arguments are alike and whose result is
the same, the current one counted.
Clears: when a file changes, after a compaction, and when the user speaks.
Blind to: equal calls (exact_cycle), failures (varied_failures), reads (repeated_file), commands that are run for one
thing after another, and alike calls that each bring something new: those are honest search. It never stops a run.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.repeats import unchanged_since
from headway.core.session import Session
from headway.core.sizes import Sizes, window_error
from headway.core.step import Step
from headway.rolling.similarity import text_similarity
from headway.tools.kinds import Kind

LOOKS: frozenset[Kind] = frozenset(("search", "list", "write", "edit", "web", "plan"))
"""Kinds whose calls can stand for each other. A read is about its file; what a command, a test, a commit, a sub-agent
or an unknown tool does for one argument it has not done for another, however alike the two look."""


class SimilarCalls(Detector):
    """Fuzzy duplicates: alike arguments, same result."""

    severity: Severity = Severity.MEDIUM
    advisory: bool = True
    limit: int = 3
    """Alike calls before we speak; the current one counts."""
    window: int = 10
    """Latest steps that are compared."""
    similarity: float = 0.8
    """How alike the arguments must be (0-1)."""
    confidence = 0.6
    clears = "Another wording is worth trying only if it can find something else; if not, look elsewhere."
    kinds = LOOKS

    def on_step(self, step: Step, session: Session) -> Findings:
        """Compare with the latest calls of the same tool."""
        if step.failed or step.news or session.waits(step):
            return
        since = unchanged_since(session)
        alike = [
            other
            for other in session.steps[-self.window : -1]
            if other.number > since
            and other.tool_name == step.tool_name
            and not session.in_same_batch(step, other)
            and step.same_result(other)
            and (step.same_call(other) or text_similarity(step.wording, other.wording) >= self.similarity)
        ]
        if len(alike) + 1 >= self.limit and any(not step.same_call(other) for other in alike):
            yield self.finding(
                f"{len(alike) + 1} similar {step.tool_name} calls among the last {self.window} steps brought the "
                "same result.",
                identity=f"{step.tool_name} {step.normal:x}",
                count=len(alike) + 1,
                tool_name=step.tool_name,
            )

    def settings_error(self, sizes: Sizes) -> str | None:
        """The window must hold as many steps as are needed, and the session must keep the window."""
        if self.limit < 2:
            return f"limit is {self.limit}, but one call is not similar to anything"
        return window_error("limit", self.limit, "window", self.window, sizes)
