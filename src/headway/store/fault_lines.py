"""Faults of Headway and of plug-ins, told to whoever runs a command: each once, in one line.

The engine passes over what a detector fails at and logs it, at every step. A traceback for each of them would bury what
the command has to say, so a fault is told by its first line: what failed, why, and at which line of which file.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from headway.store.faults import describe


class FaultLines(logging.Handler):
    """Hands on what is logged, one line for each thing that failed, however often and with whatever words."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._say = say
        self._told: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Say it, unless it was said before."""
        what, colon, why = " ".join(record.getMessage().split()).partition(": ")
        if what in self._told:
            return
        self._told.add(what)
        error = record.exc_info[1] if record.exc_info else None
        self._say(f"{what}{colon}{why}" if error is None else f"{what}: {describe(error)}")


@contextmanager
def faults_told(say: Callable[[str], None]) -> Iterator[None]:
    """Tell of faults in this way for a while."""
    lines, log = FaultLines(say), logging.getLogger("headway")
    log.addHandler(lines)
    try:
        yield
    finally:
        log.removeHandler(lines)
