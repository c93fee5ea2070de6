"""What a termination signal does to a command."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Treat a termination signal like Ctrl-C, so that all is cleaned up; an ignored one (nohup) stays ignored."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = {number: signal.getsignal(number) for number in _ENDING}
    active = [number for number, handler in before.items() if handler is not signal.SIG_IGN]
    for number in active:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number in active:
            signal.signal(number, before[number])
