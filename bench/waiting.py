"""How long a thread had a processor, and how long it was ready to run while other programs had them all (Linux).

What a clock says on a busy machine has three parts: work, waiting for a processor, and waiting for something else (a
disk, a lock, a network). Only the first and the last are the program's own.
"""

import time
from pathlib import Path
from typing import NamedTuple


class Spent(NamedTuple):
    """Seconds: by the clock, on a processor, and waiting for one."""

    clock: float
    used: float
    queued: float

    @classmethod
    def so_far(cls, thread: str = "thread-self") -> "Spent":
        """Of a thread until now; `PID/task/PID` is the main thread of a process."""
        used, queued, _ = Path("/proc", thread, "schedstat").read_text().split()
        return cls(time.perf_counter(), int(used) / 1e9, int(queued) / 1e9)

    def since(self, before: "Spent") -> "Spent":
        """What was spent after an earlier moment."""
        return Spent(*(now - then for now, then in zip(self, before, strict=True)))

    @property
    def blocked(self) -> float:
        """Waiting for something that is not a processor."""
        return max(0.0, self.clock - self.used - self.queued)


def main_thread(pid: int) -> str:
    """The name of a process' main thread, for `Spent.so_far`."""
    return f"{pid}/task/{pid}"
