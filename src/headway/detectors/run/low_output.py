"""Turn after turn with little text and no calls.

Why it matters: the agent is neither working nor finished, and each turn costs the whole context again.
Fires: after `continuation_patience` turns in a row without a call and with fewer than `min_content_threshold`
characters of text.
Clears: with a call, with a longer answer, and when the user sends a message.
Blind to: runs without a task type or a limit.
"""

from headway.core.detector import Detector, Findings
from headway.core.events import Advised, AgentSpoke, UserSpoke
from headway.core.finding import Severity
from headway.core.session import Session


class LowOutput(Detector):
    """Turns in a row without calls and with little text."""

    severity: Severity = Severity.HIGH
    clears = "Take the next step, or say what you need before you can continue."
    confidence = 0.7
    limits = ("min_content_threshold",)

    def on_message(self, event: UserSpoke | AgentSpoke | Advised, session: Session) -> Findings:
        """Check the turns that ended before this message."""
        turns, enough = session.talk.low_output_turns, session.limits.min_content_threshold or 0
        says_little = isinstance(event, AgentSpoke) and len(event.text.strip()) < enough
        if says_little and turns >= session.limits.continuation_patience:
            yield self.finding(
                f"{turns} turns in a row had little text and no calls.", identity="turns", low_output_turns=turns
            )
