"""Slightly different calls with the same result.

Why it matters: rewording a question that has been answered does not change the answer.
Fires: at the `limit`-th call of one tool within `window` steps with similar arguments and the same result, including
the current one. Advice only.
Clears: when a file changes, after a compaction, and when the user sends a message.
Blind to: equal calls (exact_cycle), failures (varied_failures), reads (repeated_file), commands run on one item after
another, and similar calls that each return something new, which is a normal search.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.limits import Sizes, window_error
from headway.core.repeats import unchanged_since
from headway.core.session import Session
from headway.core.step import Step
from headway.tools.kinds import Kind

LOOKS: frozenset[Kind] = frozenset(("search", "list", "write", "edit", "web", "plan"))
"""Kinds whose calls can replace each other. A read is about its file; a command, a test, a commit, a sub-agent or an
unknown tool does something else for each argument, however similar the arguments look."""


class SimilarCalls(Detector):
    """Similar arguments, same result."""

    severity: Severity = Severity.MEDIUM
    advisory: bool = True
    limit: int = 3
    """Similar calls that trigger a finding, including the current one."""
    window: int = 10
    """Number of recent steps to compare."""
    similarity: float = 0.8
    """How similar the arguments must be (0-1)."""
    confidence = 0.6
    clears = "Reword the call only if it can find something else; otherwise look elsewhere."
    kinds = LOOKS

    def on_step(self, step: Step, session: Session) -> Findings:
        """Compare with recent calls of the same tool."""
        if step.failed or step.news or session.is_expected_repeat(step):
            return
        from headway.rolling.similarity import text_similarity  # slow to import, and rarely needed

        since = unchanged_since(session)
        alike = [
            other
            for other in session.steps[-self.window : -1]
            if other.number > since
            and other.tool_name == step.tool_name
            and other.call.folder == step.call.folder
            and not session.in_same_batch(step, other)
            and step.same_result(other)
            and (step.same_call(other) or text_similarity(step.wording, other.wording) >= self.similarity)
        ]
        if len(alike) + 1 >= self.limit and any(not step.same_call(other) for other in alike):
            aside = "" if all(other.digest == step.digest for other in alike) else ", times and ids aside"
            yield self.finding(
                f"{len(alike) + 1} similar {step.tool_name} calls among the last {self.window} steps returned the "
                f"same result{aside}.",
                identity=f"{step.tool_name} {step.normal:x}",
                count=len(alike) + 1,
                tool_name=step.tool_name,
            )

    def settings_error(self, sizes: Sizes) -> str | None:
        """The window must be large enough, and the session must keep as many steps."""
        if self.limit < 2:
            return f"limit is {self.limit}, but similarity takes at least 2 calls"
        return window_error("limit", self.limit, "window", self.window, sizes)
