"""A clock that never jumps: the wall-clock time at the start plus the time that has passed since.

The system clock can be set, and it jumps after sleep. That must neither end a healthy round nor extend a hanging one.
"""

import time


class Clock:
    """Seconds as in `time.time()`, but passing evenly."""

    def __init__(self) -> None:
        self._start, self._began = time.time(), time.monotonic()

    def now(self) -> float:
        """The current time."""
        return self._start + time.monotonic() - self._began
