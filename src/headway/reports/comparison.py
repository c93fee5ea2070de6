"""Compares two groups of runs: two folders, two models or two weeks.

Shares of runs have 95 % intervals (Wilson's; Newcombe's for the difference). They assume that runs are independent:
several runs of one task count for less than they seem. Means of steps, cost and time have no intervals, because a few
long runs dominate them.
"""

from collections.abc import Callable, Iterator
from math import sqrt
from typing import Any

import msgspec

from headway.core.run_report import ENDING, RunReport, Spent, on_the_clock

Z = 1.959964
"""Standard deviations of a 95 % interval."""
Chooses = Callable[[RunReport], bool]
Solved = Callable[[RunReport], bool | None]


class Share(msgspec.Struct, frozen=True):
    """A count out of a total, with the interval of the true share."""

    count: int
    of: int

    @property
    def value(self) -> float:
        """The share, 0-1."""
        return self.count / self.of

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval by Wilson."""
        n, z2 = self.of, Z * Z
        middle = (self.count + z2 / 2) / (n + z2)
        half = Z / (n + z2) * sqrt(self.count * (n - self.count) / n + z2 / 4)
        return max(0.0, middle - half), min(1.0, middle + half)


def difference(a: Share, b: Share) -> tuple[float, float, float]:
    """How much larger the second share is, and its 95 % interval (Newcombe)."""
    (low_a, high_a), (low_b, high_b) = a.interval, b.interval
    found = b.value - a.value
    low = found - sqrt((b.value - low_b) ** 2 + (high_a - a.value) ** 2)
    high = found + sqrt((high_b - b.value) ** 2 + (a.value - low_a) ** 2)
    return found, low, high


class Side(msgspec.Struct):
    """The totals of one side's runs."""

    name: str
    runs: int = 0
    failed_steps: int = 0
    stopped: int = 0
    """Runs that got a stop, a rollback or an escalation."""
    solved: int = 0
    with_outcome: int = 0
    runs_with_cost: int = 0
    """Runs with a known or estimated cost."""
    runs_with_time: int = 0
    spent: Spent = Spent()
    after_stop: Spent = Spent()

    def add(self, report: RunReport, solved: bool | None) -> None:
        """Count one run."""
        self.runs += 1
        self.failed_steps += report.failed_steps
        self.stopped += report.verdict in ENDING
        self.with_outcome += solved is not None
        self.solved += solved is True
        self.runs_with_cost += report.spent.known_usd is not None
        spent = on_the_clock(report, report.spent)
        self.runs_with_time += spent.active_seconds is not None
        self.spent += spent
        self.after_stop += on_the_clock(report, report.after_stop)

    def shares(self) -> Iterator[tuple[str, Share]]:
        """The shares that are known, by their names in JSON."""
        if self.runs:
            yield "would_be_stopped", Share(self.stopped, self.runs)
        if self.with_outcome:
            yield "solved", Share(self.solved, self.with_outcome)


class Comparison:
    """Collects reports and counts each on the sides it belongs to."""

    def __init__(self, sides: tuple[tuple[str, Chooses], tuple[str, Chooses]], solved: Solved = lambda _: None) -> None:
        self.a, self.b = (Side(name) for name, _ in sides)
        self._choose = [chooses for _, chooses in sides]
        self._solved = solved
        self.on_both = 0
        """Runs that belong to both sides. The sides are not independent then, and the difference has no interval."""

    def add(self, report: RunReport) -> None:
        """Count one run."""
        chosen = [side for side, chooses in zip((self.a, self.b), self._choose, strict=True) if chooses(report)]
        self.on_both += len(chosen) > 1
        for side in chosen:
            side.add(report, self._solved(report))

    @property
    def unmatched(self) -> list[str]:
        """The names of sides without any run."""
        return [side.name for side in (self.a, self.b) if not side.runs]

    @property
    def nothing_in_words(self) -> str:
        """That no run is on any side; empty if one is."""
        return f"No run matches {self.a.name} or {self.b.name}." if len(self.unmatched) == 2 else ""

    def shares(self) -> dict[str, tuple[Share, Share]]:
        """The shares that both sides have."""
        other = dict(self.b.shares())
        return {name: (share, other[name]) for name, share in self.a.shares() if name in other}

    def as_data(self) -> dict[str, Any]:
        """Both sides and their shares as plain data, for programs."""
        shares: dict[str, Any] = {}
        for name, (a, b) in self.shares().items():
            found, low, high = difference(a, b)
            shares[name] = {
                "a": {"share": a.value, "interval": a.interval},
                "b": {"share": b.value, "interval": b.interval},
                "difference": {"share": found, "interval": None if self.on_both else (low, high)},
            }
        return {"a": self.a, "b": self.b, "on_both": self.on_both, "shares": shares}
