"""Adds up runs by model, project, agent, tool, detector or week."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import msgspec

from headway.core.finding import Severity
from headway.core.run_report import ENDING, RunReport, Spent, on_the_clock
from headway.rolling.dates import week_of

DIMENSIONS = ("model", "project", "agent", "tool", "detector", "week")
MAX_GROUPS = 1_000
"""Maximum number of groups to count by name; the rest is counted as `others`."""
UNKNOWN = "unknown"
UNDATED = "undated"


class Group(msgspec.Struct):
    """The totals of some runs."""

    runs: int = 0
    steps: int = 0
    failed_steps: int = 0
    stopped: int = 0
    """Runs that got a stop, a rollback or an escalation."""
    spent: Spent | None = None
    """Tokens, cost and time; None if they cannot be attributed, as with tools."""
    after_stop: Spent | None = None


class Groups:
    """Collects reports and adds them up by the requested dimensions."""

    def __init__(self, by: tuple[str, ...], min_severity: Severity = Severity.LOW) -> None:
        self.by = by
        self._min_severity = min_severity
        self._found: dict[tuple[str, ...], Group] = {}

    def add(self, report: RunReport) -> None:
        """Count one run. With tools and detectors it may be in several groups."""
        for key in product(*(_names(report, dimension, self._min_severity) for dimension in self.by)):
            if key not in self._found and len(self._found) >= MAX_GROUPS:
                key = ("others",) * len(key)
            self._count(self._found.setdefault(key, Group()), report, key)

    def rows(self) -> list[tuple[tuple[str, ...], Group]]:
        """The groups: by week in order of time, otherwise the most expensive and largest first."""
        if self.by == ("week",):
            return sorted(self._found.items())
        return sorted(self._found.items(), key=lambda row: (*_size(row[1]), row[0]))

    def as_data(self) -> list[dict[str, Any]]:
        """The groups as plain data, for programs."""
        return [dict(zip(self.by, key, strict=True)) | msgspec.to_builtins(group) for key, group in self.rows()]

    def _count(self, group: Group, report: RunReport, key: tuple[str, ...]) -> None:
        group.runs += 1
        group.stopped += report.verdict in ENDING
        if "tool" in self.by:
            steps, failed = report.tools.get(key[self.by.index("tool")], (0, 0))
            group.steps += steps
            group.failed_steps += failed
            return
        group.steps += report.steps
        group.failed_steps += report.failed_steps
        group.spent = (group.spent or Spent()) + on_the_clock(report, report.spent)
        group.after_stop = (group.after_stop or Spent()) + on_the_clock(report, report.after_stop)


def _names(report: RunReport, dimension: str, min_severity: Severity) -> Iterator[str]:
    match dimension:
        case "model":
            yield report.model or UNKNOWN
        case "project":
            yield report.project or UNKNOWN
        case "agent":
            yield report.agent or UNKNOWN
        case "week":
            yield week_of(report.ended_at) or UNDATED
        case "tool":
            yield from report.tools
        case "detector":
            shown = (one for one in report.findings if one.severity.rank >= min_severity.rank)
            yield from dict.fromkeys(one.detector for one in shown)


def _size(group: Group) -> tuple[float, ...]:
    spent = group.spent or Spent()
    return -(spent.known_usd or 0.0), -spent.tokens, -group.steps
