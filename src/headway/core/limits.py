"""What a run may use.

A limit that the user sets holds: the run ends there. How many calls and steps a task type plans for is advice: it is
said, and never ends a run, unless the user asks for that (`limits="enforce"`).
"""

import msgspec


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The limits of one run, after task type, model and settings have been put together."""

    max_exploration_iterations: int | None = None
    """Reads, searches and listings since the last change."""
    tool_budget: int | None = None
    """Calls of the whole run."""
    loop_repeat_threshold: int = 4
    """Equal calls among the latest ones from which on `session.stop_decision()` speaks of a loop."""
    loop_detection: bool = True
    """Whether repeats are looked for at all; a trusted model may go without."""
    force_action_after_target_read: bool = False
    """Whether looking around has to end once the target has been read."""
    explorations_after_target: int = 3
    """Reads, searches and listings after the target was read that are still fine."""
    exploration_multiplier: float = 1.0
    """How much more than usual a model may look around."""
    continuation_patience: int = 3
    """Turns in a row that say little and do nothing before it is said."""
    max_total_iterations: int | None = None
    """Steps of the whole run, whatever they do."""
    min_content_threshold: int | None = None
    """Characters below which a turn without a call says too little."""
    signature_history_size: int = 10
    """Latest calls among which an equal one is looked for."""
    max_tokens: int | None = None
    """Tokens of the whole run, in and out."""
    max_cost_usd: float | None = None
    """Money for the whole run."""
    max_seconds: float | None = None
    """Time from the first event on."""
    advice: frozenset[str] = frozenset()
    """Names of the limits among these that are only said."""
    soft_budget: bool = False
    """Whether the tool budget extends itself, up to twice its size, while tests get better or outputs show news."""

    @property
    def holds(self) -> bool:
        """Whether any of them may end the run before the next call."""
        if self.tool_budget is not None and "tool_budget" not in self.advice:
            return True
        return self.max_tokens is not None or self.max_cost_usd is not None or self.max_seconds is not None
