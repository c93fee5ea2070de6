"""Recordings as three tables: runs, steps and findings, as plain rows."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from headway.config.plugins import plugin_detectors
from headway.config.prices import PriceTable
from headway.core.run_report import RunReport
from headway.core.step import Step
from headway.readers import opened
from headway.reports.privacy import masked
from headway.rolling.dates import day_of
from headway.rolling.secrets import mask
from headway.sources import Source
from headway.study.watched import Watched

Row = dict[str, Any]
_NAMES = ("run", "agent_id", "source")
"""What names a run in all three tables."""
_OF_RUN = (
    "reader", "agent", "model", "project", "prompt", "steps", "failed_steps", "user_turns", "first_stop",
    "skipped_records",
)  # fmt: skip


class Tables(msgspec.Struct):
    """The rows of some recordings."""

    runs: list[Row] = []
    steps: list[Row] = []
    findings: list[Row] = []


def tables_of(source: Source, reader: str | None = None, prices: PriceTable | None = None) -> Tables:
    """All runs of one recording. Secrets are masked."""
    tables = Tables()
    chosen, stream = opened(source, reader)
    plugins = tuple(plugin_detectors().values())
    runs: dict[tuple[str, str], Watched] = {}
    for event in stream:
        key = (event.run, event.agent)
        one = runs.get(key) or runs.setdefault(key, Watched(None, plugins, None, prices))
        session = one.monitor.session
        before = session.step_count
        one.take(event)
        if session.step_count > before:
            named = {"run": _name(key, source), "agent_id": key[1], "source": source.name}
            tables.steps.append({**named, **_step(session.steps[-1])})
    for key, one in runs.items():
        report = masked(one.report(key, source, chosen.name))
        tables.runs.append(_run(report))
        tables.findings += _findings(report)
    return tables


def _name(key: tuple[str, str], source: Source) -> str:
    return "/".join(part for part in key if part) or source.name


def _run(report: RunReport) -> Row:
    spent, after = report.spent, report.after_stop
    return {
        **{name: getattr(report, name) for name in (*_NAMES, *_OF_RUN)},
        "verdict": str(report.verdict),
        **{name: getattr(spent, name) for name in ("tokens_in", "tokens_out", *_SUMS)},
        **{f"after_stop_{name}": getattr(after, name) for name in ("steps", "tokens_in", "tokens_out", *_SUMS)},
        "started_at": _moment(report.started_at),
        "ended_at": _moment(report.ended_at),
    }


_SUMS = ("cost_usd", "estimated_usd", "active_seconds")


def _step(step: Step) -> Row:
    tests = step.tests
    return {
        "number": step.number,
        "at": _moment(step.at),
        "tool": step.tool_name,
        "kind": step.kind,
        "path": step.path,
        "command": mask(step.meaning.command) if step.meaning.command else None,
        "failed": step.failed,
        "denied": step.denied,
        "exit_code": step.exit_code,
        "hits": step.hits,
        "output_size": step.size,
        "message": step.message or None,
        "tests_passed": tests.passed if tests else None,
        "tests_failed": tests.failed if tests else None,
    }


def _findings(report: RunReport) -> Iterator[Row]:
    names = ("detector", "confidence", "message", "identity", "first_step", "last_step", "occurrences")
    for one in report.findings:
        named = {name: getattr(report, name) for name in _NAMES}
        yield {**named, "severity": str(one.severity), **{name: getattr(one, name) for name in names}}


def _moment(seconds: float | None) -> datetime | None:
    """A time of the calendar; None where it is not known."""
    return datetime.fromtimestamp(seconds, UTC) if seconds is not None and day_of(seconds) else None
