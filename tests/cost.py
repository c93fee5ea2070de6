"""What something costs, compared with something else, on a machine that has other work to do."""

from collections.abc import Callable
from time import process_time

TRIES = 5
"""Other programs can only make a measurement slower: one of several tries that fits is enough."""


def cpu_time(work: Callable[[], object]) -> float:
    """The least processor time of several runs, in seconds: what other programs do hardly counts."""
    times = []
    for _ in range(TRIES):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


def costs_at_most(times: float, work: Callable[[], object], standard: Callable[[], object], slack: float = 0.0) -> bool:
    """Whether some work takes at most so many times the processor time of a standard, and a slack in seconds."""
    return any(cpu_time(work) <= times * cpu_time(standard) + slack for _ in range(TRIES))


def grows_with_its_length_only(reading: Callable[[str], object], piece: str, longest: int) -> bool:
    """Whether 16 times the text takes about 16 times as long; 256 times would be quadratic."""
    long = (piece * (longest // len(piece) + 1))[:longest]
    return costs_at_most(80, lambda: reading(long), lambda: reading(long[: longest // 16]), slack=0.002)
