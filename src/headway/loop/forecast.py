"""Estimates the gain and cost of another round from the latest rounds.

Forecasts are ranges, and never a reason to stop by themselves.
"""

from collections.abc import Callable
from typing import NamedTuple

from headway.loop.state import LoopState
from headway.reports.words import counted, duration, money

LEAST, MOST = 3, 5
"""The minimum number of rounds for a forecast, and the maximum number that it uses."""

Range = tuple[float, float]


class Forecast(NamedTuple):
    """The lowest and highest values of the latest rounds."""

    rounds: int
    gain: Range | None
    """Additional passing tests; None if tests are not measured."""
    cost_usd: Range | None
    seconds: Range
    """The time for the agent and for measuring."""
    gains: int = 0
    costs: int = 0
    """The number of these rounds whose gain is known, and whose cost is."""

    def __str__(self) -> str:
        tests = "" if self.gain == (1.0, 1.0) else "s"
        brings = f"{_ranged(self.gain, lambda tests: f'{tests:g}')} more passing test{tests}" if self.gain else ""
        costs = [_ranged(self.cost_usd, money) if self.cost_usd else "", _ranged(self.seconds, duration)]
        told = ", ".join(part for part in (brings, *costs) if part)
        known = {"gain": (self.gain, self.gains), "cost": (self.cost_usd, self.costs)}
        partly = "".join(f"; {what} known for {n}" for what, (one, n) in known.items() if one and n < self.rounds)
        return f"{told} (from the last {counted(self.rounds, 'round')}{partly})"


def forecast(state: LoopState) -> Forecast | None:
    """The forecast after the latest round; None while there are too few rounds."""
    numbers = range(max(1, state.number - MOST + 1), state.number + 1)
    if state.number < LEAST:
        return None
    gains = [gain for number in numbers if (gain := _gain(state, number)) is not None]
    costs = [cost for number in numbers if (cost := state.agents[number - 1].cost_usd) is not None]
    seconds = [state.round_seconds(number) for number in numbers]
    times = (min(seconds), max(seconds))
    return Forecast(len(numbers), _possible(state, gains), _range(costs), times, len(gains), len(costs))


def _possible(state: LoopState, gains: list[float]) -> Range | None:
    """The range of gains, at most the number of failing tests, unless tests are being added."""
    stayed = [one.iteration for one in state.rounds[-MOST:] if one.iteration.number not in state.returns]
    found, counts = _range(gains), {one.measured.test_count for one in stayed}
    if found is None or len(counts) > 1:
        return found
    left = float(state.tracker.current(state.base).measured.tests_failed or 0)
    return min(found[0], left), min(found[1], left)


def _gain(state: LoopState, number: int) -> float | None:
    """How many more tests pass after a round than before it; 0 for a round that was rolled back."""
    report = state.rounds[number]
    now = report.iteration.measured.tests_passed
    before = report.previous.measured.tests_passed if report.previous else None
    if now is None or before is None:
        return None
    return 0.0 if number in state.returns else float(max(0, now - before))


def _range(values: list[float]) -> Range | None:
    return (min(values), max(values)) if values else None


def _ranged(values: Range, shown: Callable[[float], str]) -> str:
    low, high = shown(values[0]), shown(values[1])
    return low if low == high else f"{low} to {high}"
