"""Writes a scan as SARIF 2.1.0: one result per finding, at its recording."""

from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Any

import msgspec

from headway.core.finding import Severity
from headway.core.run_report import ReportedFinding, RunReport
from headway.reports.detectors import title_of
from headway.reports.json import visible
from headway.reports.words import run_name, steps_of

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.LOW: "note", Severity.MEDIUM: "warning", Severity.HIGH: "error", Severity.CRITICAL: "error"}


def as_sarif(reports: Iterable[RunReport], version: str, min_severity: Severity = Severity.MEDIUM) -> Iterator[str]:
    """The document in parts, with one result per line."""
    found: dict[str, None] = {}
    yield f'{{"$schema": "{SCHEMA}", "version": "2.1.0", "runs": [{{"results": ['
    separator = "\n"
    for report in reports:
        for one in report.findings:
            if one.severity.rank >= min_severity.rank:
                found[one.detector] = None
                yield separator + visible(msgspec.json.encode(_result(report, one)).decode())
                separator = ",\n"
    rules = [{"id": name, "shortDescription": {"text": title_of(name)}} for name in found]
    tool = {"driver": {"name": "Headway", "version": version, "rules": rules}}
    yield f'\n],\n"tool": {visible(msgspec.json.encode(tool).decode())}}}]}}\n'


def _result(report: RunReport, finding: ReportedFinding) -> dict[str, Any]:
    place = PurePath(report.source)
    uri = place.as_uri() if place.is_absolute() else place.as_posix()
    return {
        "ruleId": finding.detector,
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{run_name(report)}, {steps_of(finding)}: {finding.message}"},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": 1}},
                "logicalLocations": [{"name": f"{report.run}, {steps_of(finding)}"}],
            }
        ],
        "partialFingerprints": {"headway": f"{report.run}/{finding.detector}/{finding.first_step}"},
        "properties": {"verdict": str(report.verdict), "confidence": finding.confidence},
    }
