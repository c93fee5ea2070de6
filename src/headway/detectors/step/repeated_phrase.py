"""A message that ends in the same phrase over and over.

Why it matters: the model is stuck in its own output; you pay for everything after this point and gain nothing.
Fires: when a message ends in the same phrase or block, repeated `limit` times or more and at least `min_length`
characters long in total. Lines of lists and tables, which legitimately repeat, must be equal a hundred times; a chant
without spaces must be a thousand characters long.
Clears: with the next message that does not end like this.
Blind to: code in fences, dividers, and a repetition in the middle of a message.
"""

from headway.core.detector import Detector, Findings
from headway.core.events import Advised, AgentSpoke, UserSpoke
from headway.core.finding import Severity
from headway.core.session import Session
from headway.rolling.cycle import repeated_phrase
from headway.rolling.normalise import digest


class RepeatedPhrase(Detector):
    """One phrase, repeated at the end of a message."""

    severity: Severity = Severity.HIGH
    limit: int = 6
    """Repetitions of a phrase that trigger a finding. A single word needs twice as many."""
    min_length: int = 200
    """Minimum total length of the repetitions, in characters."""
    confidence = 0.9
    clears = "Say it once, then do the next step."

    def on_message(self, event: UserSpoke | AgentSpoke | Advised, session: Session) -> Findings:
        """Check how a message of the agent ends."""
        if type(event) is not AgentSpoke or len(event.text) < self.min_length:
            return ()
        found = repeated_phrase(event.text, self.limit, self.min_length)
        if found is None:
            return ()
        phrase, times, is_cut_off = found
        finding = self.finding(
            f"Towards its end, the message repeats the same phrase {'at least ' if is_cut_off else ''}{times:,} times: "
            f'"{phrase[:80]}".',
            identity=f"{digest(phrase):x}",
            phrase=phrase[:200],
            count=times,
        )
        return (finding,)
