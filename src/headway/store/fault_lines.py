"""Faults of Headway and of plug-ins, printed for the user of a command: each once, in one line.

The engine logs the failure of a detector at every step and continues. A traceback for each would bury the output of the
command, so only the first line is printed: what failed, why, and at which line of which file.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class FaultLines(logging.Handler):
    """Passes on log records, one line for each thing that failed."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._say = say
        self._told: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Print a fault the first time."""
        what, colon, why = " ".join(record.getMessage().split()).partition(": ")
        if what in self._told:
            return
        self._told.add(what)
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            self._say(f"{what}{colon}{why}")
            return
        from headway.store.faults import describe  # most commands see no fault

        self._say(f"{what}: {describe(error)}")


@contextmanager
def faults_told(say: Callable[[str], None]) -> Iterator[None]:
    """Print faults in this way inside a `with` block."""
    lines, log = FaultLines(say), logging.getLogger("headway")
    log.addHandler(lines)
    try:
        yield
    finally:
        log.removeHandler(lines)
