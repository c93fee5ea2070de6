"""What is reported of one run."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec

from headway.core.decision import Action
from headway.core.finding import Severity


class ReportedFinding(msgspec.Struct, frozen=True):
    """One identity that was found in a run."""

    detector: str
    severity: Severity
    confidence: float
    message: str
    evidence: dict[str, Any]
    identity: str
    first_step: int
    last_step: int
    occurrences: int


class ReportedDecision(msgspec.Struct, frozen=True):
    """One moment at which Headway would have done something."""

    step: int
    action: Action
    reason: str
    message: str


class RunReport(msgspec.Struct, frozen=True):
    """Everything that is told of one agent in one run."""

    run: str
    source: str
    reader: str
    agent: str
    model: str | None
    steps: int
    skipped_records: int
    verdict: Action
    """The strongest action the run earned."""
    findings: tuple[ReportedFinding, ...]
    decisions: tuple[ReportedDecision, ...]


def totals(reports: Iterable[RunReport]) -> dict[str, Any]:
    """What all runs come to together."""
    reports = list(reports)
    return {
        "runs": len(reports),
        "steps": sum(report.steps for report in reports),
        "skipped_records": sum({report.source: report.skipped_records for report in reports}.values()),
        "verdicts": dict(Counter(str(report.verdict) for report in reports)),
        "findings": dict(Counter(finding.detector for report in reports for finding in report.findings)),
    }
