"""Reports that can be shared: with secrets masked, or without content.

Without content a report keeps names (detectors, tools, programs, models, runs, files of recordings), counts and
digests. Whatever else a recording says is replaced by a digest, so that equal things can still be recognised.
"""

import re
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from headway.core.finding import Finding
from headway.core.run_report import Cause, ReportedDecision, ReportedFinding, RunReport
from headway.core.step import Step
from headway.rolling.normalise import digest
from headway.rolling.secrets import mask
from headway.rolling.secrets import masked as masked_data

Count = TypeVar("Count")

_NAME = re.compile(r"[\w.:@+#/-]{1,80}")
"""Pattern of a name. A tool or model may have any name."""
_NAMES = ("tool_name", "avoided_tool", "cycle_actions", "vanished")
"""Keys of evidence that contain names of tools and measurements."""


def masked(report: RunReport) -> RunReport:
    """The report with the secrets in its texts and names masked. The file of the recording keeps its name."""
    return _with_texts(
        _with_masked_names(report),
        [
            msgspec.structs.replace(
                one, message=mask(one.message), evidence=masked_data(one.evidence), identity=mask(one.identity)
            )
            for one in report.findings
        ],
        [msgspec.structs.replace(one, message=mask(one.message)) for one in report.decisions],
    )


def _with_masked_names(report: RunReport) -> RunReport:
    return msgspec.structs.replace(
        report,
        run=_masked_run(report),
        agent=mask(report.agent),
        agent_id=mask(report.agent_id),
        model=mask(report.model) if report.model else report.model,
        project=mask(report.project),
        tools=_by_masked_name(report.tools, lambda one, other: (one[0] + other[0], one[1] + other[1])),
        unpriced=_by_masked_name(report.unpriced, int.__add__),
    )


def _masked_run(report: RunReport) -> str:
    """The masked name of a run. The agent's id in it is masked separately, because a secret may contain slashes."""
    if report.run == report.source:
        return report.run
    agent = f"/{report.agent_id}" if report.agent_id else ""
    if agent and report.run.endswith(agent):
        return f"{mask(report.run.removesuffix(agent))}/{mask(report.agent_id)}"
    return mask(report.run)


def _by_masked_name(counts: dict[str, Count], add: Callable[[Count, Count], Count]) -> dict[str, Count]:
    """The counts by masked name. Names that differ only in a secret become one."""
    found: dict[str, Count] = {}
    for name, count in counts.items():
        shown = mask(name)
        found[shown] = add(found[shown], count) if shown in found else count
    return found


def without_content(report: RunReport) -> RunReport:
    """The report without any content of messages, calls and outputs."""
    from headway.reports.detectors import title_of  # reads the docstrings of all detectors

    findings = [
        msgspec.structs.replace(
            one,
            message=title_of(one.detector),
            evidence=_digested(one.evidence),
            identity=_as_digest(one.identity) if one.identity else "",
        )
        for one in report.findings
    ]
    decisions = [msgspec.structs.replace(one, message=title_of(one.reason)) for one in report.decisions]
    report = msgspec.structs.replace(
        report,
        run=name_or_digest(report.run),
        agent=name_or_digest(report.agent),
        agent_id=name_or_digest(report.agent_id),
        model=name_or_digest(report.model) if report.model else report.model,
        prompt=_as_digest(report.prompt) if report.prompt else "",
        project=_as_digest(report.project) if report.project else "",
        causes=tuple(_cause_without_content(cause) for cause in report.causes),
        tools={name_or_digest(name): counts for name, counts in report.tools.items()},
        unpriced={name_or_digest(name): tokens for name, tokens in report.unpriced.items()},
    )
    return _with_texts(report, findings, decisions)


def message_without_secrets(why: str, content: bool = True) -> str:
    """A message about a recording. Without content only its beginning, because the rest may quote the recording."""
    return mask(why if content else ": ".join(why.split(": ", 2)[:2]).split(" (")[0])


def _cause_without_content(cause: Cause) -> Cause:
    works = _as_digest(cause.works) if cause.works else ""
    return Cause(cause.kind, _as_digest(cause.subject), cause.times, works)


def step_without_content(step: Step) -> tuple[str, str]:
    """A call and its outcome: the tool with a digest of what it was asked for, and how it ended in counts."""
    from headway.reports.brief import status  # only timelines show steps

    return f"{name_or_digest(step.tool_name)} #{step.call.digest:016x}", status(step)


def finding_without_content(finding: Finding) -> Finding:
    """A finding whose message is replaced by the description of its detector."""
    from headway.reports.detectors import title_of

    return msgspec.structs.replace(finding, message=title_of(finding.detector))


def name_or_digest(text: str) -> str:
    """A name as it is; anything longer, with spaces or a secret in it as a digest."""
    return text if not text or (_NAME.fullmatch(text) and mask(text) == text) else _as_digest(text)


def _with_texts(report: RunReport, findings: list[ReportedFinding], decisions: list[ReportedDecision]) -> RunReport:
    return msgspec.structs.replace(report, findings=tuple(findings), decisions=tuple(decisions))


def _digested(evidence: dict[str, Any]) -> dict[str, Any]:
    return {name: _without_words(value, named=name in _NAMES) for name, value in evidence.items()}


def _without_words(value: Any, named: bool = False) -> Any:
    if isinstance(value, str):
        return name_or_digest(value) if named else _as_digest(value)
    if isinstance(value, dict):
        return {_as_digest(str(name)): _without_words(one) for name, one in value.items()}
    return [_without_words(one, named) for one in value] if isinstance(value, (list, tuple)) else value


def _as_digest(text: str) -> str:
    return f"#{digest(text):016x}"
