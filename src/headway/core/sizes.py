"""How much a session remembers."""

import msgspec


class Sizes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Bounds of the session's lists and maps."""

    window_size: int = 50
    """Calls, steps and errors that are kept. No detector looks back further; one that needs more steps is left out."""
    files: int = 1_000
    """Files that are remembered."""
    names: int = 256
    """Different tools and error messages that are counted."""
    waiting_calls: int = 256
    """Calls that may wait for their result at the same time."""
    iterations: int = 100
    """Rounds that are kept."""
    lines: int = 4_096
    """Lines of output that are remembered in order to know what is new."""
    reread_share: float = 0.5
    """A read is a re-read when at least this share of its lines was read before."""
    wait_gap: float = 60.0
    """Seconds between a result and the same call once more that nobody lets pass by accident, where times are known."""
    wait_pace: float = 3.0
    """How many times the agent's usual pause before a new call such a time must be: a slow model waits for nothing."""
    writing_speed: float = 10.0
    """Characters a second that even a slow model writes: the time it takes to write a message is not waiting."""
    poll_gap: float = 2.0
    """Seconds after which asking for a status again counts as waiting, where times are known."""


def window_error(needed: str, count: int, window: str, size: int, sizes: Sizes) -> str | None:
    """Why `count` of something cannot be seen within `size` steps, or None if it can.

    A session that was made small shortens every window to what it keeps; only the count has to fit.
    """
    kept = f"but the session keeps only session.window_size = {sizes.window_size} steps"
    if count > size:
        return f"{needed} is {count}, but {window} is only {size}"
    if count > sizes.window_size:
        return f"{needed} is {count}, {kept}"
    return f"{window} is {size}, {kept}" if size > max(sizes.window_size, Sizes().window_size) else None
