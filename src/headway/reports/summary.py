"""The summary of many runs, in bounded memory."""

from collections import Counter
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from headway.core.decision import Action
from headway.core.finding import Severity
from headway.core.run_report import RunReport, ScannedFile, ScannedRun, Spent, on_the_clock
from headway.reports.groups import Groups
from headway.reports.suggestions import Suggestions
from headway.rolling.dates import LONG_AGO, day_of

if TYPE_CHECKING:
    from headway.reports.comparison import Comparison

MAX_NAMES = 200
"""Maximum number of programs, models and patterns to count by name; the rest is counted as `others`."""
PAID = 10_000
"""Maximum number of runs whose cost is stored until their sub-agents have been counted."""
MAX_SKIPPED_NAMED = 10_000
OTHERS = "others"
Name = TypeVar("Name", str, tuple[str, int])


class Pattern(msgspec.Struct, frozen=True):
    """How common one detector's findings are."""

    name: str
    runs: int
    findings: int
    severity: Severity
    """The highest severity that was seen."""


class Summary:
    """Collects recordings; keeps the worst runs and counts all of them."""

    def __init__(
        self,
        keep: int = 20,
        room: int = 0,
        prices_dated: date | None = None,
        groups: Groups | None = None,
        comparison: "Comparison | None" = None,
    ) -> None:
        self.keep = keep
        self.room = room
        """Bytes of timelines and outputs to keep."""
        self.files = self.passed_over = self.skipped_records = self.size = 0
        self.skipped_files: list[str] = []
        """The first files in no known format, and what they are instead."""
        self.troubles: list[str] = []
        self.more_troubles = 0
        self.missing: dict[str, None] = {}
        """What Headway needs and recordings do not contain, without duplicates."""
        self.unread: list[str] = []
        """The first recordings that were recognised but not readable, and why."""
        self.more_unread = self.damaged = 0
        """The number of further ones, and the number of recordings with unreadable records."""
        self.runs = self.failed_steps = self.user_turns = 0
        self.spent, self.after_stop = Spent(), Spent()
        self.runs_with_cost = self.runs_estimated = 0
        """Runs whose recording contains the cost, and others whose cost is estimated, or a part of it."""
        self.prices_dated = prices_dated
        self.unpriced: Counter[str] = Counter()
        """Tokens of models without a list price, in runs whose recording does not contain the cost."""
        self.groups, self.comparison = groups, comparison
        """The same runs in groups, and compared, if requested."""
        self.by = {dimension: Groups((dimension,)) for dimension in ("week", "model", "project")}
        self.suggestions = Suggestions()
        self._paid: dict[str, None] = {}
        """The latest runs whose main agent's recording contains the cost."""
        self.runs_after_stop = 0
        """Runs that continued after Headway would have stopped them."""
        self.verdicts: Counter[str] = Counter()
        self.agents: Counter[str] = Counter()
        self.models: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.days: dict[str, Counter[str]] = {}
        self.runs_without_date = 0
        self.runs_with: Counter[tuple[str, int]] = Counter()
        """Runs by detector and by the rank of its most severe finding."""
        self.findings_of: Counter[tuple[str, int]] = Counter()
        self.started_at: float | None = None
        self.ended_at: float | None = None
        self._worst: list[tuple[tuple[float, ...], ScannedRun]] = []
        self._held = 0
        """Bytes of timelines and outputs in memory now."""

    def add(self, file: ScannedFile) -> ScannedFile:
        """Count one recording; returns it as it was counted."""
        for run in file.runs:  # a sub-agent may come before its main agent
            self._note_cost(run.report)
        several = file.several_runs or len(file.runs) > 1
        runs = (msgspec.structs.replace(run, of_several=several) for run in file.runs)
        file = msgspec.structs.replace(file, runs=tuple(map(self._without_double_cost, runs)))
        self.files += 1
        self.size += file.size
        self.passed_over += bool(file.passed_over)
        if file.passed_over and len(self.skipped_files) < MAX_SKIPPED_NAMED:
            self.skipped_files.append(file.passed_over)
        self.skipped_records += file.skipped_records
        if file.trouble:
            self._note_trouble(file.trouble)
        if file.unread:
            self._note_unread(file)
        if file.missing and len(self.missing) < MAX_NAMES:
            self.missing[file.missing] = None
        for run in file.runs:
            self._add(run)
        return file

    def _note_cost(self, report: RunReport) -> None:
        if report.spent.cost_usd is not None and not report.agent_id:
            self._paid[report.run] = None
            if len(self._paid) > PAID:
                del self._paid[next(iter(self._paid))]

    def _without_double_cost(self, run: ScannedRun) -> ScannedRun:
        """The run, without a cost that its main agent's includes: Claude Code reports it with sub-agents."""
        report = run.report
        main = report.run.removesuffix(f"/{report.agent_id}") if report.agent_id else report.run
        if not report.agent_id or main not in self._paid:
            return run
        spent, after = (msgspec.structs.replace(one, estimated_usd=None) for one in (report.spent, report.after_stop))
        report = msgspec.structs.replace(report, spent=spent, after_stop=after, unpriced={})
        return msgspec.structs.replace(run, report=report)

    def worst(self) -> list[ScannedRun]:
        """The worst runs, worst first."""
        self._forget_the_mildest()
        return [run for _, run in self._worst]

    def commonest(self, least: Severity = Severity.LOW) -> list[Pattern]:
        """Patterns of at least this severity, by the number of runs they were found in."""
        found = [self._pattern(name, least) for name in sorted({name for name, _ in self.runs_with})]
        return sorted(
            (one for one in found if one.runs), key=lambda one: (-one.runs, -one.severity.rank, -one.findings)
        )

    def _add(self, scanned: ScannedRun) -> None:
        report = scanned.report
        self.runs += 1
        self.failed_steps += report.failed_steps
        self.user_turns += report.user_turns
        self.spent += on_the_clock(report, report.spent)
        self.runs_with_cost += report.spent.cost_usd is not None and report.spent.estimated_usd is None
        self.runs_estimated += report.spent.estimated_usd is not None
        for model, tokens in report.unpriced.items():
            _count(self.unpriced, model, OTHERS, tokens)
        self.after_stop += on_the_clock(report, report.after_stop)
        self.runs_after_stop += report.after_stop.steps > 0
        self.verdicts[str(report.verdict)] += 1
        _count(self.agents, report.agent or "unknown", OTHERS)
        _count(self.models, report.model or "unknown", OTHERS)
        self.kinds.update(report.kinds)
        self._note_time(report)
        self._note_patterns(report)
        for part in (self.groups, self.comparison, *self.by.values()):
            if part is not None:
                part.add(report)
        self.suggestions.add(report, scanned.worked)
        scanned = msgspec.structs.replace(scanned, worked=())
        self._worst.append(((*_badness(report), -self.runs), scanned))
        self._held += _weight(scanned)
        if len(self._worst) > 2 * self.keep + 100 or self._held > 2 * self.room:
            self._forget_the_mildest()

    def _note_patterns(self, report: RunReport) -> None:
        strongest: dict[str, int] = {}
        for finding in report.findings:
            _count(self.findings_of, (finding.detector, finding.severity.rank), (OTHERS, finding.severity.rank))
            strongest[finding.detector] = max(finding.severity.rank, strongest.get(finding.detector, 0))
        for name, rank in strongest.items():
            _count(self.runs_with, (name, rank), (OTHERS, rank))

    def _pattern(self, name: str, least: Severity) -> Pattern:
        heard = [severity for severity in Severity if severity.rank >= least.rank]
        return Pattern(
            name=name,
            runs=sum(self.runs_with[name, severity.rank] for severity in heard),
            findings=sum(self.findings_of[name, severity.rank] for severity in heard),
            severity=max((s for s in heard if self.runs_with[name, s.rank]), key=lambda s: s.rank, default=least),
        )

    def _note_time(self, report: RunReport) -> None:
        start, end = report.started_at, report.ended_at
        day = str(day_of(end) or "") if day_of(start) else ""
        if not day or (day not in self.days and len(self.days) >= 10 * MAX_NAMES):
            self.runs_without_date += 1
        else:
            self.days.setdefault(day, Counter())[str(report.verdict)] += 1
        if start is not None and end is not None and start > LONG_AGO:
            self.started_at = min(start, self.started_at or start)
            self.ended_at = max(end, self.ended_at or end)

    def _note_trouble(self, trouble: str) -> None:
        if len(self.troubles) < MAX_NAMES:
            self.troubles.append(trouble)
        else:
            self.more_troubles += 1

    def _note_unread(self, file: ScannedFile) -> None:
        self.damaged += file.skipped_records > 0
        if len(self.unread) < MAX_NAMES:
            self.unread.append(file.unread)
        else:
            self.more_unread += 1

    @property
    def files_unread(self) -> int:
        """The number of recordings that were recognised but not readable."""
        return len(self.unread) + self.more_unread

    def _forget_the_mildest(self) -> None:
        self._worst.sort(key=lambda one: one[0], reverse=True)
        del self._worst[self.keep :]
        room = self.room
        for part in ("timeline", "outputs"):  # timelines are kept longer than outputs
            for place, (key, run) in enumerate(self._worst):
                room -= len(getattr(run, part))
                if room < 0:
                    self._worst[place] = key, msgspec.structs.replace(run, **{part: b""})
        self._held = sum(_weight(run) for _, run in self._worst)

    def totals(self) -> dict[str, Any]:
        """The totals as plain data, for programs."""
        return {
            "runs": self.runs,
            "steps": self.spent.steps,
            "skipped_records": self.skipped_records,
            "verdicts": dict(sorted(self.verdicts.items())),
            "findings": {one.name: one.findings for one in self.commonest()},
            "runs_with": {one.name: one.runs for one in self.commonest()},
            "spent": self.spent,
            "runs_with_cost": self.runs_with_cost,
            "runs_estimated": self.runs_estimated,
            "prices_dated": self.prices_dated,
            "unpriced": dict(self.unpriced.most_common()),
            "after_stop": self.after_stop,
            "runs_after_stop": self.runs_after_stop,
            "failed_steps": self.failed_steps,
            "kinds": dict(self.kinds.most_common()),
            "agents": dict(self.agents.most_common()),
            "files": self.files,
            "files_passed_over": self.passed_over,
            "skipped_files": self.skipped_files,
            "files_unread": self.files_unread,
            "unread": self.unread,
            "troubles": self.troubles,
            "more_troubles": self.more_troubles,
            "started_at": self.started_at,
            "ended_at": self.ended_at,
            "suggestions": self.suggestions.as_data(),
            **({"by": self.groups.as_data()} if self.groups else {}),
            **({"compare": self.comparison.as_data()} if self.comparison else {}),
        }


def _badness(report: RunReport) -> tuple[float, ...]:
    """Sort key, higher is worse: whether it would have been stopped, what came after that, findings, length."""
    weights = Counter(finding.severity.rank for finding in report.findings)
    loudest = max(weights, default=-1)
    ending = report.verdict not in (Action.CONTINUE, Action.NUDGE, Action.BLOCK)
    wasted = report.after_stop
    return (ending, wasted.known_usd or 0.0, wasted.steps, report.verdict.rank, loudest, weights[loudest], report.steps)


def _count(counts: Counter[Name], name: Name, others: Name, more: int = 1) -> None:
    counts[name if name in counts or len(counts) < MAX_NAMES else others] += more


def _weight(run: ScannedRun) -> int:
    return len(run.timeline) + len(run.outputs)
