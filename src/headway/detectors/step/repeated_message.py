"""The agent repeats a message and does nothing else.

Why it matters: the agent is waiting for an answer that does not come, or has nothing left to do but does not end.
Fires: when the same message (times and numbers aside) comes `limit` times with no call in between.
Clears: when the agent calls a tool or says something else, and when the user speaks.
Blind to: messages of fewer than `min_length` characters.
"""

from functools import lru_cache

from headway.core.detector import Detector, Findings, state
from headway.core.events import Advised, AgentSpoke, UserSpoke
from headway.core.finding import Severity
from headway.core.session import Session
from headway.rolling.digest import digest
from headway.rolling.lazy import regex
from headway.rolling.normalise import normalise_error
from headway.rolling.text import clean

COMPARED = 2_000
"""Characters of a message that are compared."""


class RepeatedMessage(Detector):
    """The same message again, with no call in between."""

    severity: Severity = Severity.HIGH
    limit: int = 3
    """Equal messages in a row that trigger a finding."""
    min_length: int = 20
    """Minimum length of a message, in characters."""
    confidence = 0.85
    clears = "Take the next step, or say what you need before you can continue."

    last: str = state("")
    count: int = state(0)
    calls: int = state(0)

    def on_message(self, event: UserSpoke | AgentSpoke | Advised, session: Session) -> Findings:
        """Compare a message of the agent with the previous one."""
        if not isinstance(event, AgentSpoke) or len(event.text) < self.min_length:
            return
        text = clean(event.text[:COMPARED])
        same = session.tool_call_count == self.calls and _same(text, self.last)
        self.count = self.count + 1 if same else 1
        self.last, self.calls = text, session.tool_call_count
        if self.count >= self.limit:
            yield self.finding(
                f"The same message was sent {self.count} times with no call in between.",
                identity=f"{digest(normalise_error(text)):x}",
                count=self.count,
            )

    def on_user_turn(self) -> None:
        """An answer to the user may be the same as an earlier one."""
        self.count, self.last = 0, ""


def _same(one: str, other: str) -> bool:
    if one == other or len(one) != len(other):
        return one == other
    return not _begin_differently(one, other) and normalise_error(one) == normalise_error(other)


_PLAIN_WORDS = regex(
    r"""(?:(?:[A-EGHJ-LN-RUVX-Za-hj-z'"`_,.!?()]++|(?!Mon|Tue|Wed|Thu|Fri|Sat|Sun|[Ii][Dd]\b)[FIMSTWi])*+\s++){0,50}"""
)
"""The plain words at the start of a message, which normalisation never changes: no names of days, no word `id`."""


def _begin_differently(one: str, other: str) -> bool:
    """A cheap check that rules out most pairs. Long messages are clipped, so equal lengths prove nothing."""
    return any(a != b for a, b in zip(_first_words(one), _first_words(other), strict=False))


@lru_cache(maxsize=2)
def _first_words(text: str) -> list[str]:
    """The plain words at the start; kept for the next message, which is compared with this one."""
    match = _PLAIN_WORDS.match(text)
    return match[0].split() if match else []
