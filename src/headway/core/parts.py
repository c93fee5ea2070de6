"""The parts of a session that belong together."""

import msgspec

from headway.core.events import Used

MOST = 10**15
"""Larger amounts of tokens or money in one report are implausible."""


class Spending(msgspec.Struct):
    """What the run has used, as far as it was told."""

    count: int = 0
    """How often something was reported as used."""
    tokens_in: int = 0
    """Tokens that the model read."""
    tokens_out: int = 0
    """Tokens that the model wrote."""
    cost_usd: float = 0.0
    """Money spent."""

    @property
    def tokens(self) -> int:
        """All tokens, read and written."""
        return self.tokens_in + self.tokens_out

    def note(self, used: Used) -> None:
        """Add what was used."""
        self.count += 1
        self.tokens_in += int(amount(used.tokens_in))
        self.tokens_out += int(amount(used.tokens_out))
        self.cost_usd += amount(used.cost_usd)


def amount(given: float) -> float:
    """What was used: nothing where the number is none, is negative, or is more than anybody uses."""
    return given if 0 <= given <= MOST else 0  # also 0 for `nan`, which is not between anything


class Marks(msgspec.Struct):
    """Steps at which something last happened; 0 while it has not."""

    learnt: int = 0
    """Step of the latest success that showed something new."""
    checked: int = 0
    """Step of the latest test or build."""
    verified: int = 0
    """Step of the latest test or build that succeeded."""
    waited: int = 0
    """Step of the latest call that only let time pass."""
    compacted: int = 0
    """Step after which the context was last compacted."""


class Exploration(msgspec.Struct):
    """Looking around without changing anything."""

    count: int = 0
    """Reads, searches and listings since the last change."""
    target_read: bool = False
    """A file that the user named has been read."""
    since_target: int | None = None
    """Reads, searches and listings since a target was read; None while none was, or after a change."""


class Talk(msgspec.Struct):
    """What the agent says, and how little."""

    length: int | None = None
    """Characters the agent has said in a turn that has no call yet."""
    since_result: int = 0
    """Characters the agent has said since the latest result."""
    idle_turns: int = 0
    """Agent turns without a call."""
    low_output_turns: int = 0
    """Such turns in a row, lately, that said little."""
    goes_on: bool = False
    """The agent's turn is not over: nothing has come back since it spoke or called."""
    last_batch: str | None = None
    """The parallel batch of the latest call."""


OLD_PLACES = {
    "spending": {"use_count": "count", "tokens_in": "tokens_in", "tokens_out": "tokens_out", "cost_usd": "cost_usd"},
    "marks": {
        "last_learnt": "learnt", "last_check": "checked", "last_verified": "verified", "last_wait": "waited",
        "last_compaction": "compacted",
    },
    "exploration": {
        "exploration_count": "count", "target_read": "target_read", "explored_since_target": "since_target",
    },
    "talk": {
        "talk": "length", "message_length": "since_result", "idle_turn_count": "idle_turns",
        "low_output_turns": "low_output_turns", "agent_is_speaking": "goes_on", "last_batch": "last_batch",
    },
}  # fmt: skip
"""Where the fields of a part were before sessions had parts: in the session itself, under these names."""


def in_parts(saved: dict[str, object]) -> dict[str, object]:
    """A session that was saved before sessions had parts, as it is saved now."""
    parts = {
        part: {new: saved[old] for old, new in names.items() if old in saved} for part, names in OLD_PLACES.items()
    }
    return {**saved, **parts}
