"""What something costs, compared with something else, on a machine that has other work to do."""

from collections.abc import Callable
from time import process_time

TRIES = 5
"""Other programs can only make a measurement slower: one of several tries that fits is enough."""


def cpu_time(work: Callable[[], object]) -> float:
    """The processor time of one run, in seconds: what other programs do hardly counts."""
    start = process_time()
    work()
    return process_time() - start


def costs_at_most(times: float, work: Callable[[], object], standard: Callable[[], object], slack: float = 0.0) -> bool:
    """Whether some work takes at most so many times the processor time of a standard, and a slack in seconds."""

    def fits() -> bool:
        limit = times * min(cpu_time(standard) for _ in range(TRIES)) + slack
        return any(cpu_time(work) <= limit for _ in range(TRIES))

    return any(fits() for _ in range(TRIES))


def grows_with_its_length_only(reading: Callable[[str], object], piece: str, longest: int) -> bool:
    """Whether 16 times the text takes about 16 times as long; 256 times would be quadratic."""
    long = (piece * (longest // len(piece) + 1))[:longest]
    return costs_at_most(80, lambda: reading(long), lambda: reading(long[: longest // 16]), slack=0.002)
