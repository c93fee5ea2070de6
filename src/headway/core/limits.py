"""The limits of a run, and of what its session remembers.

A limit that the user sets is enforced: the run ends there. The numbers of a task type are advice, unless the user
enforces them (`limits="enforce"`).
"""

import msgspec

from headway.rolling.lazy import lazy

INFINITE = float("inf")  # importing `math` takes a hook longer
COUNTED_CALLS = ("tool_budget", "max_total_iterations")
"""Limits of how many calls are made: known, and so kept exactly, when a call is requested."""


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
    """Maximum number of steps in the run. A call takes its place when it is requested."""
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
        if any(getattr(self, name) is not None and name not in self.advice for name in COUNTED_CALLS):
            return True
        return self.max_tokens is not None or self.max_cost_usd is not None or self.max_seconds is not None


class Sizes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Bounds of the session's lists and maps."""

    window_size: int = 50
    """Number of recent calls, steps and errors to keep. A detector that needs more steps is disabled."""
    files: int = 1_000
    """Number of files to remember."""
    names: int = 256
    """Number of different tools and error messages to count."""
    waiting_calls: int = 256
    """Number of calls that may be open at the same time."""
    iterations: int = 100
    """Number of rounds to keep."""
    lines: int = 4_096
    """Number of output lines to remember, to recognise new output."""
    reread_share: float = 0.5
    """Share of known lines (0-1) from which on a read counts as a re-read."""
    wait_gap: float = 60.0
    """Minimum pause before the same call, in seconds, that counts as waiting. Needs timestamps."""
    wait_pace: float = 3.0
    """Minimum pause that counts as waiting, relative to the agent's usual pause before a new call."""
    writing_speed: float = 10.0
    """Writing speed of a slow model, in characters per second. The time it takes to write a message is not waiting."""
    poll_gap: float = 2.0
    """Minimum pause before the same status query, in seconds, that counts as waiting. Needs timestamps."""


def window_error(needed: str, count: int, window: str, size: int, sizes: Sizes) -> str | None:
    """Why `count` of something cannot be seen within `size` steps, or None if it can.

    If the session keeps fewer steps, every window shrinks to that number; only the count has to fit.
    """
    kept = f"but the session keeps only session.window_size = {sizes.window_size} steps"
    if count > size:
        return f"{needed} is {count}, but {window} is only {size}"
    if count > sizes.window_size:
        return f"{needed} is {count}, {kept}"
    return f"{window} is {size}, {kept}" if size > max(sizes.window_size, Sizes().window_size) else None
