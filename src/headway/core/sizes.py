"""How much a session remembers."""

import msgspec


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

    With a smaller session, every window shrinks to what it keeps; only the count has to fit.
    """
    kept = f"but the session keeps only session.window_size = {sizes.window_size} steps"
    if count > size:
        return f"{needed} is {count}, but {window} is only {size}"
    if count > sizes.window_size:
        return f"{needed} is {count}, {kept}"
    return f"{window} is {size}, {kept}" if size > max(sizes.window_size, Sizes().window_size) else None
