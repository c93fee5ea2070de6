"""The time in one sitting: what the clock on the wall said at its beginning, and from there on what really passed.

A computer's clock is set, and jumps after a sleep. Limits must neither cut a healthy round for that nor let a hanging
one run on.
"""

import time


class Clock:
    """Seconds as `time.time()` counts them, which pass evenly."""

    def __init__(self) -> None:
        self._start, self._began = time.time(), time.monotonic()

    def now(self) -> float:
        """The time."""
        return self._start + time.monotonic() - self._began
