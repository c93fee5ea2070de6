"""What another round is likely to bring and cost, going by the latest rounds.

Ranges, never a reason to stop by themselves.
"""

from collections.abc import Callable
from typing import NamedTuple

from headway.loop.state import LoopState
from headway.reports.words import counted, duration, money

LEAST, MOST = 3, 5
"""Rounds that a forecast needs, and those that it looks back at."""

Range = tuple[float, float]


class Forecast(NamedTuple):
    """The lowest and the highest of the latest rounds."""

    rounds: int
    gain: Range | None
    """More passing tests; None where tests are not measured."""
    cost_usd: Range | None
    """None where the agent does not tell."""
    seconds: Range
    """The agent and measuring."""

    def __str__(self) -> str:
        tests = "" if self.gain == (1.0, 1.0) else "s"
        brings = f"{_ranged(self.gain, lambda tests: f'{tests:g}')} more passing test{tests}" if self.gain else ""
        costs = [_ranged(self.cost_usd, money) if self.cost_usd else "", _ranged(self.seconds, duration)]
        told = ", ".join(part for part in (brings, *costs) if part)
        return f"{told} (from the last {counted(self.rounds, 'round')})"


def forecast(course: LoopState) -> Forecast | None:
    """The forecast after the latest round; None as long as there are too few."""
    numbers = range(max(1, course.number - MOST + 1), course.number + 1)
    if course.number < LEAST:
        return None
    gains = [gain for number in numbers if (gain := _gain(course, number)) is not None]
    costs = [cost for number in numbers if (cost := course.agents[number - 1].cost_usd) is not None]
    seconds = [course.round_seconds(number) for number in numbers]
    return Forecast(len(numbers), _possible(course, gains), _range(costs), (min(seconds), max(seconds)))


def _possible(course: LoopState, gains: list[float]) -> Range | None:
    """The range of gains, no higher than the tests that are left to fix, unless tests are being added."""
    stayed = [one.iteration for one in course.rounds[-MOST:] if one.iteration.number not in course.returns]
    found, counts = _range(gains), {one.measured.test_count for one in stayed}
    if found is None or len(counts) > 1:
        return found
    left = float(course.tracker.current(course.base).measured.tests_failed or 0)
    return min(found[0], left), min(found[1], left)


def _gain(course: LoopState, number: int) -> float | None:
    """How many tests more pass after a round than before it; a round that was rolled back brought none."""
    report = course.rounds[number]
    now = report.iteration.measured.tests_passed
    before = report.previous.measured.tests_passed if report.previous else None
    if now is None or before is None:
        return None
    return 0.0 if number in course.returns else float(max(0, now - before))


def _range(values: list[float]) -> Range | None:
    return (min(values), max(values)) if values else None


def _ranged(values: Range, shown: Callable[[float], str]) -> str:
    low, high = shown(values[0]), shown(values[1])
    return low if low == high else f"{low} to {high}"
