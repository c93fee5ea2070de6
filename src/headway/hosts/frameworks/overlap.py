"""Finds out which calls an agent requested together, if the program does not report it: they overlap in time.

Calls that were requested together are a batch, and a repeat within a batch is not a repeat. Two things need care:

- A call may never end. All later calls would then overlap with it, and no loop would be seen. So a call no longer
  counts after `OVERTAKEN` later calls have ended: an agent that waits for all results of a batch requests nothing else
  until then.
- A pool with few workers runs a batch in parts. Between two parts, no call may be open for a moment. If calls ran at
  the same time, and the next one begins within `PAUSE` seconds, it belongs to the same batch: a model needs more time
  than that to read the results and to answer.
"""

import time
from collections.abc import Callable

OVERTAKEN = 4
"""Number of later calls that have ended, after which a call no longer keeps its batch open."""
PAUSE = 0.2
"""Seconds between two calls of a pool. Models need longer to answer."""


class Overlap:
    """Gives a number to each batch of calls that overlap."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._batch = clock, 0
        self._open: dict[str, int] = {}
        """The calls that have not ended, oldest first, and how many later calls have."""
        self._most = 0
        """The highest number of calls of this batch that were open at the same time."""
        self._ended = 0.0
        """When the latest call ended."""

    def begin(self, call: str) -> int:
        """A call begins. Returns the number of its batch."""
        if all(ended >= OVERTAKEN for ended in self._open.values()) and not self._is_pool():
            self._batch += 1
            self._open.clear()
            self._most = 0
        self._open[call] = 0
        self._most = max(self._most, len(self._open))
        return self._batch

    def end(self, call: str) -> None:
        """A call has ended. All open calls that began before it were overtaken by it."""
        if call not in self._open:
            return
        for earlier in self._open:
            if earlier == call:
                break
            self._open[earlier] += 1
        del self._open[call]
        self._ended = self._clock()

    def forget(self, call: str) -> None:
        """A call did not run, or its client no longer waits for it."""
        self._open.pop(call, None)

    def _is_pool(self) -> bool:
        """Whether calls ran at the same time until a moment ago. Calls that are still open may never end."""
        ran_together = self._most - len(self._open) > 1
        return ran_together and self._clock() - self._ended < PAUSE
