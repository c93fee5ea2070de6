"""Talking on and on in the same words, and doing nothing.

Why it matters: nobody answers, nothing is tried, and each message says what the last one said in another order.
Fires: at the `limit`-th message in a row that brings hardly any new words (at most `share` of its own), with no call
and no word from the user in between.
Clears: when the agent calls a tool or says something new, and when the user speaks.
Blind to: languages written without spaces between words, and messages that say something new each time, as several
agents do who talk to each other.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.events import Advised, AgentSpoke, UserSpoke
from headway.core.finding import Severity
from headway.core.session import Session
from headway.rolling.regex import regex
from headway.rolling.text import clean

COMPARED = 4_000
"""Characters of a message that are looked at."""
KEPT_WORDS = 2_000
"""Different words of a monologue that are remembered."""
_WORD = regex(r"[^\W\d]{3,}")
_ASCII_WORD = regex(r"[a-z_]{3,}")
"""The same, in a text of lower-case ASCII: found faster."""


class Monologue(Detector):
    """Message after message that adds nothing, and no act."""

    severity: Severity = Severity.HIGH
    limit: int = 5
    """Messages in a row without new words before we speak; the first, in which all words are new, does not count."""
    share: float = 0.3
    """How many of its words a message may say for the first time (0-1) and still add nothing."""
    confidence = 0.85
    clears = "Do the next step, or say what you need before you can go on."

    opening: str = state("")
    last_said: dict[str, int] = state(factory=dict)
    """The latest message of the monologue in which each word was said."""
    count: int = state(0)
    calls: int = state(0)

    def on_message(self, event: UserSpoke | AgentSpoke | Advised, session: Session) -> Findings:
        """Count how many messages have added nothing since the agent last did something."""
        if not isinstance(event, AgentSpoke) or not event.text.strip():
            return
        text = clean(event.text[:COMPARED])
        if session.tool_call_count != self.calls or not self.opening:
            self._begin(text, session)
            return
        if not self.last_said:  # most messages are followed by a call: their words are never looked at
            self._hear(self.opening)
        self.count = self.count + 1 if self._hear(text) <= self.share else 0
        if self.count >= self.limit:
            yield self.finding(
                f"{self.count} messages in a row said hardly anything new, and nothing was done in between.",
                identity="words",
                count=self.count,
            )

    def on_user_turn(self) -> None:
        """Somebody answered."""
        self.opening, self.count = "", 0
        self.last_said.clear()

    def _begin(self, text: str, session: Session) -> None:
        self.opening, self.count, self.calls = text, 0, session.tool_call_count
        self.last_said.clear()

    def _hear(self, text: str) -> float:
        """Take in the words of a message; which share of them is new."""
        known, said = self.last_said, set((_ASCII_WORD if text.isascii() else _WORD).findall(text.lower()))
        before = len(known)
        known.update(dict.fromkeys(said, max(known.values(), default=0) + 1))
        new = len(known) - before
        if len(known) > KEPT_WORDS:
            for word in sorted(known, key=lambda word: (known[word], word))[:-KEPT_WORDS]:
                del known[word]
        return new / max(1, len(said))
