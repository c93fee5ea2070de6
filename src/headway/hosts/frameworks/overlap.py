"""Finds out which calls were asked for together, where that is not told: those that overlap in time.

A call without an end would make all calls after it overlap, and a repeat in a batch is no repeat. So a call that was
overtaken often no longer counts: who waits for all results of a batch asks for nothing more meanwhile.
"""

OVERTAKEN = 4
"""Later calls that have ended, after which a call no longer keeps its batch open."""


class Overlap:
    """Numbers batches of calls that overlap."""

    def __init__(self) -> None:
        self._batch = 0
        self._open: dict[str, int] = {}
        """The calls that have not ended, oldest first, and how many later ones have."""

    def begin(self, call: str) -> int:
        """A call begins; the number of its batch."""
        if all(ended >= OVERTAKEN for ended in self._open.values()):
            self._batch += 1
            self._open.clear()
        self._open[call] = 0
        return self._batch

    def end(self, call: str) -> None:
        """A call has ended, and overtaken those that began before it."""
        if call not in self._open:
            return
        for earlier in self._open:
            if earlier == call:
                break
            self._open[earlier] += 1
        del self._open[call]

    def forget(self, call: str) -> None:
        """A call did not run, or its client no longer waits for it."""
        self._open.pop(call, None)
