"""Recordings that kill the process that reads them, and work that fails; a process that imports this starts soon."""

import os
import signal
from pathlib import Path

from headway.sources import Source


class Deadly(Source):
    """Every reader is killed."""

    def head(self):
        os.kill(os.getpid(), signal.SIGKILL)


class DeadlyOnce(Source):
    """The first reader is killed."""

    def head(self):
        mark = Path(f"{self.path}.killed")
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().head()


def raises_at_first(mark, common):
    """Work that fails until it was tried so many times."""
    tries = Path(mark)
    tries.write_text(tries.read_text() + "x" if tries.exists() else "x")
    if len(tries.read_text()) < common:
        raise OSError("the network is down")
    return "done"
