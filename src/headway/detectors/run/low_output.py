"""Turn after turn in which little is said and nothing is done.

Why it matters: the agent is neither working nor finished; each turn costs the whole context again.
Fires: at `continuation_patience` turns in a row without a call and with less text than `min_content_threshold`.
Clears: with a call, with a longer answer, and when the user speaks.
Blind to: runs for which neither a task type nor a limit was named.
"""

from headway.core.detector import Detector, Findings
from headway.core.events import Advised, AgentSpoke, UserSpoke
from headway.core.finding import Severity
from headway.core.session import Session


class LowOutput(Detector):
    """Empty turns in a row."""

    severity: Severity = Severity.HIGH
    clears = "Do the next step, or say what you need before you can go on."
    confidence = 0.7
    limits = ("min_content_threshold",)

    def on_message(self, event: UserSpoke | AgentSpoke | Advised, session: Session) -> Findings:
        """Look at the turns that have ended before this message."""
        turns, enough = session.talk.low_output_turns, session.limits.min_content_threshold or 0
        says_little = isinstance(event, AgentSpoke) and len(event.text.strip()) < enough
        if says_little and turns >= session.limits.continuation_patience:
            yield self.finding(
                f"{turns} turns in a row said little and did nothing.", identity="turns", low_output_turns=turns
            )
