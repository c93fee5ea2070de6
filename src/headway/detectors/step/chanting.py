"""A message in which the same phrase comes over and over.

Why it matters: the model is caught in its own words; everything after this point is noise that is paid for.
Fires: when a message ends in the same phrase or block `limit` times over, `min_length` characters in all.
Clears: with the next message that does not.
Blind to: code, tables, lists and dividers, which repeat honestly, and a chant that the message gets over.
"""

from headway.core.detector import Detector, Findings
from headway.core.events import Advised, AgentSpoke, UserSpoke
from headway.core.finding import Severity
from headway.core.session import Session
from headway.rolling.digest import digest
from headway.rolling.repeated_phrase import repeated_phrase


class Chanting(Detector):
    """The same phrase, again and again, in one message."""

    severity: Severity = Severity.HIGH
    limit: int = 6
    """Repetitions of a phrase before we speak; single words need twice as many."""
    min_length: int = 200
    """Characters that the repetitions must have in all."""
    confidence = 0.9
    clears = "Say it once, then do the next step."

    def on_message(self, event: UserSpoke | AgentSpoke | Advised, session: Session) -> Findings:
        """Listen to the end of what the agent says."""
        if not isinstance(event, AgentSpoke) or len(event.text) < self.min_length:
            return
        found = repeated_phrase(event.text, self.limit, self.min_length)
        if found is not None:
            phrase, times = found
            yield self.finding(
                f'The message ends in the same phrase {times} times over: "{phrase[:80]}".',
                identity=f"{digest(phrase):x}",
                phrase=phrase[:200],
                count=times,
            )
