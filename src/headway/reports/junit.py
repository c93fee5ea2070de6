"""Writes a scan as JUnit XML: one test case per run, which fails if the run's decision counts as a failure."""

from collections.abc import Callable, Iterable, Iterator
from xml.sax.saxutils import escape, quoteattr

from headway.core.decision import Action
from headway.core.finding import Severity
from headway.core.run_report import RunReport
from headway.reports.text import plain
from headway.reports.words import about, run_name, steps_of, stopped_in_words


def as_junit(
    reports: Iterable[RunReport], fails: Callable[[Action], bool], min_severity: Severity = Severity.MEDIUM
) -> Iterator[str]:
    """The document in parts. The reports are iterated twice, because the counts come first."""
    verdicts = [report.verdict for report in reports]
    failed = sum(map(fails, verdicts))
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<testsuites><testsuite name="headway" tests="{len(verdicts)}" failures="{failed}" errors="0" skipped="0">\n'
    for report in reports:
        yield from _case(report, fails(report.verdict), min_severity)
    yield "</testsuite></testsuites>\n"


def _case(report: RunReport, failed: bool, min_severity: Severity) -> Iterator[str]:
    seconds = f' time="{report.spent.active_seconds:.3f}"' if report.spent.active_seconds is not None else ""
    name, group = _attribute(run_name(report)), _attribute(report.agent or "unknown")
    yield f"<testcase name={name} classname={group} file={_attribute(report.source)}{seconds}>"
    if failed:
        message = _attribute(f"{report.verdict} {stopped_in_words(report)}")
        yield f'<failure type="{report.verdict}" message={message}>{_text(_lines(report, min_severity))}</failure>'
    yield "</testcase>\n"


def _lines(report: RunReport, min_severity: Severity) -> Iterator[str]:
    yield f"{report.source}: {about(report)}"
    for one in report.findings:
        if one.severity.rank >= min_severity.rank:
            yield f"{steps_of(one)}, {one.severity} {one.detector}: {one.message}"


def _attribute(text: str) -> str:
    return quoteattr(plain(text))


def _text(lines: Iterable[str]) -> str:
    return escape("\n".join(map(plain, lines)))
