"""What may leave the machine: reports with secrets masked, or with no content at all.

Without content a report keeps names (detectors, tools, programs, models, runs, files of recordings), counts and
digests. Whatever else a recording says is replaced by a digest, so that equal things can still be told to be equal.
"""

import re
from functools import cache
from typing import Any

import msgspec

from headway.detectors import built_in
from headway.reports.detectors import describe
from headway.reports.run import ReportedDecision, ReportedFinding, RunReport
from headway.rolling.digest import digest
from headway.rolling.secrets import mask
from headway.rolling.secrets import masked as masked_data

_NAME = re.compile(r"[\w.:@+#/-]{1,80}")
"""What a name looks like; a tool or a model that an agent made up may be called anything."""


def masked(report: RunReport) -> RunReport:
    """The report with the secrets in its texts masked."""
    return _with_texts(
        report,
        [
            msgspec.structs.replace(
                one, message=mask(one.message), evidence=masked_data(one.evidence), identity=mask(one.identity)
            )
            for one in report.findings
        ],
        [msgspec.structs.replace(one, message=mask(one.message)) for one in report.decisions],
    )


def without_content(report: RunReport) -> RunReport:
    """The report without anything that was said, asked for or printed in the run."""
    findings = [
        msgspec.structs.replace(
            one,
            message=_title(one.detector),
            evidence=_digested(one.evidence),
            identity=_as_digest(one.identity) if one.identity else "",
        )
        for one in report.findings
    ]
    decisions = [msgspec.structs.replace(one, message=_title(one.reason)) for one in report.decisions]
    report = msgspec.structs.replace(report, run=name_or_digest(report.run), agent=name_or_digest(report.agent))
    return _with_texts(report, findings, decisions)


def name_or_digest(text: str) -> str:
    """A name as it is; anything longer or with spaces in it as a digest."""
    return text if not text or _NAME.fullmatch(text) else _as_digest(text)


def _with_texts(report: RunReport, findings: list[ReportedFinding], decisions: list[ReportedDecision]) -> RunReport:
    return msgspec.structs.replace(report, findings=tuple(findings), decisions=tuple(decisions))


def _digested(evidence: dict[str, Any]) -> dict[str, Any]:
    return {name: _without_words(value) for name, value in evidence.items()}


def _without_words(value: Any) -> Any:
    if isinstance(value, str):
        return _as_digest(value)
    if isinstance(value, dict):
        return {_as_digest(str(name)): _without_words(one) for name, one in value.items()}
    return [_without_words(one) for one in value] if isinstance(value, (list, tuple)) else value


def _as_digest(text: str) -> str:
    return f"#{digest(text):016x}"


@cache
def _title(detector: str) -> str:
    """What a detector looks for: it stands in for what it found."""
    kind = built_in().get(detector)
    return describe(kind).title if kind else ""
