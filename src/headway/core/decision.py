"""The one answer: what to do now."""

from enum import StrEnum

import msgspec

from headway.core.finding import Finding
from headway.rolling.text import shortened


class Action(StrEnum):
    """What the host should do, weakest first."""

    CONTINUE = "continue"
    NUDGE = "nudge"
    BLOCK = "block"
    STOP = "stop"
    ROLLBACK = "rollback"
    ESCALATE = "escalate"

    @property
    def rank(self) -> int:
        """0 for continue up to 5 for escalate: the action with the higher rank wins."""
        return _RANKS[self]


_RANKS = {action: rank for rank, action in enumerate(Action)}


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What to do, and why."""

    action: Action = Action.CONTINUE
    reason: str = ""
    """Machine-readable: the id of the detector or rule behind it."""
    confidence: float = 1.0
    message: str = ""
    """The message for the agent."""
    findings: tuple[Finding, ...] = ()
    back_to: int | None = None
    """The round to return to, for a rollback."""

    def __repr__(self) -> str:
        shown = [f"reason={self.reason!r}"] if self.reason else []
        shown += [f"message={shortened(self.message, LONGEST_SHOWN)!r}"] if self.message else []
        shown += [f"back_to={self.back_to}"] if self.back_to is not None else []
        return f"Decision({', '.join([f'action={str(self.action)!r}', *shown])})"


LONGEST_SHOWN = 80
"""Characters of a message that the repr of a decision shows."""


CONTINUE = Decision()
