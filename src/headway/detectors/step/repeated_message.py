"""The agent repeats a message and does nothing else.

Why it matters: the agent is waiting for an answer that does not come, or has nothing left to do but does not end.
Fires: when the same message (details such as times and ids aside) comes `limit` times with no call in between. It is
advice only if a machine repeats its report in between, because that wakes an agent that has nothing to say.
Clears: when the agent calls a tool or says something else, when the user sends a message, and when a machine reports
something new.
Blind to: messages of fewer than `min_length` characters.
"""

from itertools import takewhile

from headway.core.detector import Detector, Findings, state
from headway.core.events import Advised, AgentSpoke, UserSpoke
from headway.core.finding import Severity
from headway.core.session import Session
from headway.rolling.lazy import regex
from headway.rolling.normalise import digest, normalise
from headway.rolling.text import clean

COMPARED = 2_000
"""Characters of a message that are compared."""
KEPT_MESSAGES = 5
"""Messages that are kept before they are compared."""


class RepeatedMessage(Detector):
    """The same message again, with no call in between."""

    severity: Severity = Severity.HIGH
    limit: int = 3
    """Equal messages in a row that trigger a finding."""
    min_length: int = 20
    """Minimum length of a message, in characters."""
    confidence = 0.85
    clears = "Take the next step, or say what you need before you can continue."

    unread: list[str] = state(factory=list)
    """The latest messages since the last call, while they are too few for a finding."""
    before: int = state(0)
    """Number of messages before these that were equal to the first of these."""
    calls: int = state(0)

    def on_message(self, event: UserSpoke | AgentSpoke | Advised, session: Session) -> Findings:
        """Compare a message of the agent with the previous ones."""
        if session.heard_news:  # the next message answers it
            self.on_user_turn()
        if type(event) is not AgentSpoke or len(event.text) < self.min_length:
            return ()
        if session.tool_call_count != self.calls:
            self.calls = session.tool_call_count
            self.on_user_turn()
        text = clean(event.text[:COMPARED])
        self.unread.append(text)
        if len(self.unread) < min(self.limit - self.before, KEPT_MESSAGES):
            return ()  # most messages are followed by a call, so they are never compared
        same = len(list(takewhile(lambda other: _same(text, other), reversed(self.unread))))
        count = same if same < len(self.unread) else same + self.before
        self.unread, self.before = [text], count - 1
        if count < self.limit:
            return ()
        what = "The same message" if len(text) < COMPARED else f"A message with the same first {COMPARED:,} characters"
        message = f"{what} (details such as times and ids aside) was sent {count} times with no call in between."
        advisory = self.advisory or session.talk.is_woken
        return (self.finding(message, identity=f"{digest(normalise(text)):x}", advisory=advisory, count=count),)

    def on_user_turn(self) -> None:
        """An answer to the user may be the same as an earlier one."""
        self.unread, self.before = [], 0


_PLAIN_WORDS = regex(
    r"""(?:(?:[A-EGHJ-LN-RUVX-Za-hj-z'"`_,.!?()]++|(?!Mon|Tue|Wed|Thu|Fri|Sat|Sun|[Ii][Dd]\b)[FIMSTWi])*+\s++){0,50}"""
)
"""The plain words at the start of a message, which normalisation seldom changes: no names of days, no word `id`."""


def _same(one: str, other: str) -> bool:
    """Whether two messages are equal, apart from times and ids; most pairs already differ in their first words."""
    if one == other or len(one) != len(other):
        return one == other
    begin_alike = all(a == b for a, b in zip(_first_words(one), _first_words(other), strict=False))
    return begin_alike and normalise(one) == normalise(other)


def _first_words(text: str) -> list[str]:
    match = _PLAIN_WORDS.match(text)
    return match[0].split() if match else []
