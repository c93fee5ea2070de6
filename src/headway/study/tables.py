"""Converts scanned recordings to table rows and back: files, runs, findings, decisions, steps and timelines.

The rows of a recording are contiguous and in order, and each file and run stores how many rows belong to it. So reports
can be built from the tables again, one recording after the other, without holding a table in memory.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice, repeat
from typing import Any

import msgspec

from headway.core.decision import Action
from headway.core.finding import Severity
from headway.core.run_report import ReportedDecision, ReportedFinding, RunReport, ScannedFile, ScannedRun
from headway.core.step import Step
from headway.reports.privacy import message_without_secrets, name_or_digest
from headway.rolling.dates import day_of
from headway.rolling.secrets import mask
from headway.rolling.text import clean
from headway.shapes.packed_events import to_json

Row = dict[str, Any]
_NAMES = ("run", "agent_id", "source")
"""The columns that identify a run in all tables."""
_OF_RUN = (
    "reader", "agent", "model", "project", "prompt", "steps", "failed_steps", "user_turns", "first_stop",
    "skipped_records",
)  # fmt: skip
_SUMS = ("tokens_in", "tokens_out", "cost_usd", "estimated_usd", "active_seconds")
_DETAILS = ("kinds", "tools", "causes", "unpriced", "more_findings", "more_decisions", "started_at", "ended_at")
_OF_FINDING = ("detector", "confidence", "message", "identity", "first_step", "last_step", "occurrences")
_TOLD = ("passed_over", "unread", "trouble", "missing")
_OF_FILE = ("name", "size", "skipped_records", *_TOLD)


class Tables(msgspec.Struct):
    """The rows of some recordings."""

    files: list[Row] = []
    runs: list[Row] = []
    findings: list[Row] = []
    decisions: list[Row] = []
    steps: list[Row] = []
    timelines: list[Row] = []

    def add_run(self, one: ScannedRun) -> None:
        """Add the rows of one run."""
        report = one.report
        named = {name: getattr(report, name) for name in _NAMES}
        self.runs.append(_clean(_run(one)))
        self.findings += (_clean({**named, **_finding(finding)}) for finding in report.findings)
        self.decisions += (_clean({**named, **_decision(decision)}) for decision in report.decisions)
        self.steps += (_clean({**named, **step}) for step in one.steps)
        self.timelines.append({**_clean(named), "timeline": one.timeline, "outputs": one.outputs})

    def add_file(self, file: ScannedFile, runs: int, content: bool = True) -> None:
        """Add the row of a recording whose runs have been added."""
        told = {name: clean(message_without_secrets(getattr(file, name), content)) for name in _TOLD}
        self.files.append(
            {"name": file.name, "size": file.size, "skipped_records": file.skipped_records, **told, "runs": runs}
        )


def _clean(row: Row) -> Row:
    """The row without lone surrogates, which no table can store."""
    return {name: clean(value) if isinstance(value, str) else value for name, value in row.items()}


def _run(one: ScannedRun) -> Row:
    report = one.report
    spent, after = report.spent, report.after_stop
    details = {name: getattr(report, name) for name in _DETAILS} | {"worked": one.worked}
    return {
        **{name: getattr(report, name) for name in (*_NAMES, *_OF_RUN)},
        "verdict": str(report.verdict),
        "findings": len(report.findings),
        "decisions": len(report.decisions),
        **{name: getattr(spent, name) for name in _SUMS},
        **{f"after_stop_{name}": getattr(after, name) for name in ("steps", *_SUMS)},
        "started_at": _moment(report.started_at),
        "ended_at": _moment(report.ended_at),
        "details": to_json(details),
    }


def step_row(step: Step, content: bool = True) -> Row:
    """A step as a row. Without content it has only names and counts."""
    tests, command = step.tests, step.meaning.command
    return {
        "number": step.number,
        "at": _moment(step.at),
        "tool": mask(step.tool_name) if content else name_or_digest(step.tool_name),
        "kind": step.kind,
        "path": mask(step.path) if content and step.path else None,
        "command": mask(command) if content and command else None,
        "failed": step.failed,
        "denied": step.denied,
        "exit_code": step.exit_code,
        "hits": step.hits,
        "output_size": step.size,
        "message": mask(step.message) if content and step.message else None,
        "tests_passed": tests.passed if tests else None,
        "tests_failed": tests.failed if tests else None,
    }


def _finding(one: ReportedFinding) -> Row:
    evidence = to_json(one.evidence)
    return {"severity": str(one.severity), **{name: getattr(one, name) for name in _OF_FINDING}, "evidence": evidence}


def _decision(one: ReportedDecision) -> Row:
    return {"step": one.step, "action": str(one.action), "reason": one.reason, "message": one.message}


def _moment(seconds: float | None) -> datetime | None:
    """A datetime; None if unknown."""
    return datetime.fromtimestamp(seconds, UTC) if seconds is not None and day_of(seconds) else None


def scanned_files(
    files: Iterator[Row],
    runs: Iterator[Row],
    findings: Iterator[Row],
    decisions: Iterator[Row],
    timelines: Iterator[Row] | None = None,
) -> Iterator[ScannedFile]:
    """The recordings that the rows were made from, with their reports."""
    timelines = repeat({}) if timelines is None else timelines
    for row in files:
        of_file = zip(islice(runs, row["runs"]), timelines, strict=False)
        found = tuple(_scanned(run, findings, decisions, drawn) for run, drawn in of_file)
        yield ScannedFile(runs=found, **{name: row[name] for name in _OF_FILE})


def _scanned(row: Row, findings: Iterator[Row], decisions: Iterator[Row], drawn: Row) -> ScannedRun:
    details = msgspec.json.decode(row["details"])
    worked = tuple((kind, subject) for kind, subject in details.pop("worked"))
    report = _report(row | details, findings, decisions)
    return ScannedRun(report, drawn.get("timeline", b""), drawn.get("outputs", b""), worked)


def _report(row: Row, findings: Iterator[Row], decisions: Iterator[Row]) -> RunReport:
    after = {name: row[f"after_stop_{name}"] for name in ("steps", *_SUMS)}
    data = {
        **{name: row[name] for name in (*_NAMES, *_OF_RUN, *_DETAILS)},
        "verdict": row["verdict"],
        "spent": {"steps": row["steps"], **{name: row[name] for name in _SUMS}},
        "after_stop": after,
        "findings": [_as_finding(one) for one in islice(findings, row["findings"])],
        "decisions": [_as_decision(one) for one in islice(decisions, row["decisions"])],
    }
    return msgspec.convert(data, RunReport)


def _as_finding(row: Row) -> ReportedFinding:
    named = {name: row[name] for name in _OF_FINDING}
    return ReportedFinding(severity=Severity(row["severity"]), evidence=msgspec.json.decode(row["evidence"]), **named)


def _as_decision(row: Row) -> ReportedDecision:
    return ReportedDecision(row["step"], Action(row["action"]), row["reason"], row["message"])
