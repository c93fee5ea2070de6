"""Message after message that repeats itself, without doing anything.

Why it matters: nothing is tried, and each message only rearranges the previous ones.
Fires: at the `limit`-th message in a row in which at most `share` of the words are new, with no call, no user message
and no new report of a machine in between. It is advice only if a machine repeats its report, because that wakes an
agent that has nothing to say.
Clears: when the agent calls a tool or says something new, when the user sends a message, and when a machine reports
something new.
Blind to: languages written without spaces, and conversations between several agents that say something new each time.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.events import Advised, AgentSpoke, UserSpoke
from headway.core.finding import Severity
from headway.core.session import Session
from headway.rolling.lazy import regex
from headway.rolling.text import clean

COMPARED = 4_000
"""Characters of a message that are compared."""
KEPT_MESSAGES = 5
"""Messages that are kept before their words are read."""
KEPT_WORDS = 2_000
"""Different words that are remembered."""
_WORD = regex(r"[^\W\d]{3,}")
_ASCII = "abcdefghijklmnopqrstuvwxyz_"
_LETTERS = bytes(sign if chr(sign) in _ASCII or sign > 127 else 32 for sign in range(256))
"""Maps every ASCII character that is not a letter to a space, because splitting the text is faster than a regex."""
_SHORT = frozenset((*_ASCII, *(one + other for one in _ASCII for other in _ASCII)))
"""Everything that is too short to count as a word."""


class Monologue(Detector):
    """Messages in a row that add nothing, with no call in between."""

    severity: Severity = Severity.HIGH
    limit: int = 5
    """Messages in a row without new words that trigger a finding. The first message never counts."""
    share: float = 0.3
    """Share of new words (0-1) up to which a message adds nothing."""
    confidence = 0.85
    clears = "Take the next step, or say what you need before you can continue."

    unread: list[str] = state(factory=list)
    """The latest messages since the last call, while they are too few for a finding."""
    last_said: dict[str, int] = state(factory=dict)
    """Number of the latest message with each word."""
    messages: int = state(0)
    """Number of the latest message whose words are known."""
    count: int = state(-1)
    """Messages that added nothing; -1 before the first one is read, which never counts."""
    calls: int = state(0)

    def on_message(self, event: UserSpoke | AgentSpoke | Advised, session: Session) -> Findings:
        """Count messages that add nothing since the last call."""
        if session.heard_news:  # the next message answers it
            self.on_user_turn()
        if type(event) is not AgentSpoke or not event.text or event.text.isspace():
            return ()
        if session.tool_call_count != self.calls:
            self.calls = session.tool_call_count
            self.on_user_turn()
        self.unread.append(clean(event.text[:COMPARED]))
        if self.count + len(self.unread) < self.limit and len(self.unread) <= KEPT_MESSAGES:
            return ()  # most messages are followed by a call, so their words are never needed
        for text in self.unread:
            self.count = self.count + 1 if self._add_words(text) <= self.share else 0
        self.unread.clear()
        if self.count < self.limit:
            return ()
        message = f"{self.count} messages in a row said hardly anything new, and nothing was done in between."
        advisory = self.advisory or session.talk.is_woken
        return (self.finding(message, identity="words", advisory=advisory, count=self.count),)

    def on_user_turn(self) -> None:
        """The user answered."""
        self.count = -1
        self.unread.clear()
        self.last_said.clear()

    def _add_words(self, text: str) -> float:
        """Remember the words of a message and return the share of new ones."""
        known, said = self.last_said, _words(text.lower())
        before = len(known)
        self.messages = (self.messages or max(known.values(), default=0)) + 1
        known.update(dict.fromkeys(said, self.messages))
        new = len(known) - before
        if len(known) > KEPT_WORDS:
            for word in sorted(known, key=lambda word: (known[word], word))[:-KEPT_WORDS]:
                del known[word]
        return new / max(1, len(said))


def _words(text: str) -> set[str]:
    """The words of a text in lower case; words with letters other than a-z are found by a regex."""
    found = set(text.encode().translate(_LETTERS).decode().split()).difference(_SHORT)
    if not text.isascii():
        others = [word for word in found if not word.isascii()]
        found.difference_update(others)
        found.update(_WORD.findall(" ".join(others)))
    return found
