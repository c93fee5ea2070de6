"""What many runs come to together, in memory that does not grow with their number."""

from collections import Counter
from datetime import UTC, datetime
from typing import Any

import msgspec

from headway.core.decision import Action
from headway.core.finding import Severity
from headway.reports.run import RunReport, ScannedFile, ScannedRun, Spent

NAMES = 200
"""Different programs, models and patterns that are counted by name; the rest is counted as `others`."""
OTHERS = "others"
LONG_AGO = 1e8
"""Times below this are counted from something else than the epoch."""


class Pattern(msgspec.Struct):
    """How common one detector's findings are."""

    runs: int = 0
    findings: int = 0
    occurrences: int = 0
    severity: Severity = Severity.LOW
    """The strongest that was seen."""


class Summary:
    """Takes in recordings one after the other; keeps the worst runs and counts all of them."""

    def __init__(self, keep: int = 20, room: int = 0) -> None:
        self.keep = keep
        self.room = room
        """Bytes of timelines that are kept."""
        self.files = self.passed_over = self.skipped_records = self.size = 0
        self.troubles: list[str] = []
        self.more_troubles = 0
        self.runs = self.failed_steps = self.user_turns = 0
        self.spent, self.after_stop = Spent(), Spent()
        self.runs_after_stop = 0
        """Runs that went on after a moment that was worth a stop."""
        self.verdicts: Counter[str] = Counter()
        self.agents: Counter[str] = Counter()
        self.models: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.days: dict[str, Counter[str]] = {}
        self.patterns: dict[str, Pattern] = {}
        self.started_at: float | None = None
        self.ended_at: float | None = None
        self._worst: list[tuple[tuple[float, ...], ScannedRun]] = []

    def add(self, file: ScannedFile) -> None:
        """Count one recording in."""
        self.files += 1
        self.size += file.size
        self.passed_over += bool(file.passed_over)
        self.skipped_records += file.skipped_records
        if file.trouble:
            self._note_trouble(file.trouble)
        for run in file.runs:
            self._add(run)

    def worst(self) -> list[ScannedRun]:
        """The worst runs, worst first."""
        self._forget_the_mildest()
        return [run for _, run in self._worst]

    def commonest(self) -> list[tuple[str, Pattern]]:
        """Patterns by the number of runs they were found in."""
        found = self.patterns.items()
        return sorted(found, key=lambda one: (-one[1].runs, -one[1].severity.rank, -one[1].findings, one[0]))

    def _add(self, scanned: ScannedRun) -> None:
        report = scanned.report
        self.runs += 1
        self.failed_steps += report.failed_steps
        self.user_turns += report.user_turns
        self.spent += report.spent
        self.after_stop += report.after_stop
        self.runs_after_stop += report.after_stop.steps > 0
        self.verdicts[str(report.verdict)] += 1
        _count(self.agents, report.agent or "unknown")
        _count(self.models, report.model or "unknown")
        self.kinds.update(report.kinds)
        self._note_time(report)
        self._note_patterns(report)
        self._worst.append(((*_badness(report), -self.runs), scanned))
        if len(self._worst) > 2 * self.keep + 100:
            self._forget_the_mildest()

    def _note_patterns(self, report: RunReport) -> None:
        seen: set[str] = set()
        for finding in report.findings:
            name = finding.detector if finding.detector in self.patterns or len(self.patterns) < NAMES else OTHERS
            pattern = self.patterns.setdefault(name, Pattern())
            pattern.runs += finding.detector not in seen
            pattern.findings += 1
            pattern.occurrences += finding.occurrences
            pattern.severity = max(pattern.severity, finding.severity, key=lambda severity: severity.rank)
            seen.add(finding.detector)

    def _note_time(self, report: RunReport) -> None:
        start, end = report.started_at, report.ended_at
        if start is None or end is None or start < LONG_AGO:
            return
        self.started_at = min(start, self.started_at or start)
        self.ended_at = max(end, self.ended_at or end)
        day = day_of(end)
        if day is not None and (day in self.days or len(self.days) < 10 * NAMES):
            self.days.setdefault(day, Counter())[str(report.verdict)] += 1

    def _note_trouble(self, trouble: str) -> None:
        if len(self.troubles) < NAMES:
            self.troubles.append(trouble)
        else:
            self.more_troubles += 1

    def _forget_the_mildest(self) -> None:
        self._worst.sort(key=lambda one: one[0], reverse=True)
        del self._worst[self.keep :]
        room = self.room
        for place, (key, run) in enumerate(self._worst):
            room -= len(run.timeline)
            if room < 0 and run.timeline:
                self._worst[place] = (key, ScannedRun(run.report))

    def totals(self) -> dict[str, Any]:
        """All of it as plain data, for programs."""
        return {
            "runs": self.runs,
            "steps": self.spent.steps,
            "skipped_records": self.skipped_records,
            "verdicts": dict(sorted(self.verdicts.items())),
            "findings": {name: pattern.findings for name, pattern in sorted(self.patterns.items())},
            "findings_by_runs": {name: pattern.runs for name, pattern in sorted(self.patterns.items())},
            "spent": self.spent,
            "after_stop": self.after_stop,
            "runs_after_stop": self.runs_after_stop,
            "failed_steps": self.failed_steps,
            "kinds": dict(self.kinds.most_common()),
            "agents": dict(self.agents.most_common()),
            "files": self.files,
            "files_passed_over": self.passed_over,
            "troubles": self.troubles,
            "more_troubles": self.more_troubles,
            "started_at": self.started_at,
            "ended_at": self.ended_at,
        }


def day_of(seconds: float) -> str | None:
    """The day of a time, in UTC; None for one that no calendar has."""
    try:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return None


def _badness(report: RunReport) -> tuple[float, ...]:
    """The larger, the worse: what it earned, what went on after that, what was found, how long it is."""
    weights = Counter(finding.severity.rank for finding in report.findings)
    loudest = max(weights, default=-1)
    ending = report.verdict not in (Action.CONTINUE, Action.NUDGE, Action.BLOCK)
    return (ending, report.after_stop.steps, report.verdict.rank, loudest, weights[loudest], report.steps)


def _count(counts: Counter[str], name: str) -> None:
    counts[name if name in counts or len(counts) < NAMES else OTHERS] += 1
