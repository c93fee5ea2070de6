"""The limits of a run.

A limit that the user sets is enforced: the run ends there. The tool budget and step limit of a task type are advice,
unless the user enforces them (`limits="enforce"`).
"""

import msgspec

from headway.rolling.lazy import lazy


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """The limits of one run, merged from task type, model and settings."""

    max_exploration_iterations: int | None = None
    """Maximum number of reads, searches and listings since the last change."""
    tool_budget: int | None = None
    """Maximum number of calls in the run."""
    loop_repeat_threshold: int = 4
    """Equal calls among the recent ones that `session.stop_decision()` reports as a loop."""
    loop_detection: bool = True
    """Whether loop detectors run."""
    force_action_after_target_read: bool = False
    """Whether the agent must act once it has read the target."""
    explorations_after_target: int = 3
    """Reads, searches and listings that are allowed after the target was read."""
    exploration_multiplier: float = 1.0
    """Factor for the exploration limit of a model."""
    continuation_patience: int = 3
    """Turns in a row with little text and no calls that trigger a finding."""
    max_total_iterations: int | None = None
    """Maximum number of steps in the run."""
    min_content_threshold: int | None = None
    """Minimum length of a turn without calls, in characters."""
    signature_history_size: int = 10
    """Number of recent calls to compare for `stop_decision()`."""
    max_tokens: int | None = None
    """Maximum number of tokens in the run, input and output."""
    max_cost_usd: float | None = None
    """Maximum cost of the run, in US dollars."""
    max_seconds: float | None = None
    """Maximum duration of the run, in seconds."""
    advice: frozenset[str] = frozenset()
    """Names of the limits that are advice only."""
    soft_budget: bool = False
    """Whether the tool budget grows, up to twice its size, while tests improve or outputs are new."""

    @lazy
    def holds(self) -> bool:
        """Whether any limit may end the run before the next call."""
        if self.tool_budget is not None and "tool_budget" not in self.advice:
            return True
        return self.max_tokens is not None or self.max_cost_usd is not None or self.max_seconds is not None
