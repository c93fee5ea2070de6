"""Measures how right a watcher was over many runs: false stops, and what stops would have saved."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import comb

import msgspec

from headway.study.judged import Judged

BOOTSTRAP_SAMPLES = 1_000


class Figures(msgspec.Struct, frozen=True):
    """The figures of one group of runs. Shares are 0-1, and None if there was nothing to divide by."""

    solved: int
    failed: int
    killed: int
    """Solved runs that were stopped before their end."""
    false_stops: float | None
    """Their share of the solved runs."""
    saved: float | None
    """The share of the failed runs' turns that came after the stop."""
    alarms_solved: float | None
    alarms_failed: float | None
    right: float | None
    """The share of the stopped runs that had failed."""


def figures(runs: Iterable[Judged]) -> Figures:
    """Compute the figures."""
    runs = list(runs)
    solved, failed = [r for r in runs if r.solved], [r for r in runs if not r.solved]
    stopped = [r for r in runs if r.stopped_at is not None]
    killed = sum(r.killed for r in solved)
    return Figures(
        solved=len(solved),
        failed=len(failed),
        killed=killed,
        false_stops=_share(killed, len(solved)),
        saved=_share(sum(r.saved for r in failed), sum(r.turns for r in failed)),
        alarms_solved=_share(sum(r.alarmed_at is not None for r in solved), len(solved)),
        alarms_failed=_share(sum(r.alarmed_at is not None for r in failed), len(failed)),
        right=_share(sum(not r.solved for r in stopped), len(stopped)),
    )


def interval(
    runs: Sequence[Judged], figure: Callable[[Figures], float | None], seed: int = 0
) -> tuple[float, float] | None:
    """A 95 % interval, sampling whole tasks: several runs of one task succeed and fail together."""
    tasks: dict[str, list[Judged]] = defaultdict(list)
    for run in runs:
        tasks[run.task or run.run].append(run)
    groups, draw = list(tasks.values()), random.Random(seed)  # noqa: S311 - a sample, not a secret
    values = []
    for _ in range(BOOTSTRAP_SAMPLES if groups else 0):
        value = figure(figures(run for group in draw.choices(groups, k=len(groups)) for run in group))
        if value is not None:
            values.append(value)
    values.sort()
    return (values[int(0.025 * len(values))], values[int(0.975 * len(values))]) if values else None


def upper_bound(happened: int, of: int, confidence: float = 0.95) -> float:
    """The largest rate compatible with the observed count (Clopper and Pearson)."""
    if happened >= of:
        return 1.0
    low, high = happened / of, 1.0
    for _ in range(50):
        rate = (low + high) / 2
        seldom = sum(comb(of, k) * rate**k * (1 - rate) ** (of - k) for k in range(happened + 1))
        low, high = (rate, high) if seldom > 1 - confidence else (low, rate)
    return high


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
