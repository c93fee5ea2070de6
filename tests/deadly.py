"""Recordings that kill the process that reads them."""

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
