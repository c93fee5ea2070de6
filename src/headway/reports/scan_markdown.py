"""A scan as Markdown, for issues, wikis and pull requests."""

from collections.abc import Iterable, Iterator, Sequence

from headway.core.decision import Action
from headway.core.finding import Severity
from headway.core.run_report import RunReport
from headway.reports.iteration_markdown import escaped, table
from headway.reports.summary import Summary
from headway.reports.tables import comparison_rows, group_rows
from headway.reports.words import (
    NO_WORST,
    about,
    circumstances,
    counted,
    headline,
    run_name,
    saved_in_words,
    steps_of,
    stopped_in_words,
)

LISTED = 20
"""Runs that the summary names."""
GROUPS = 100
"""Rows of a table that are shown; JSON has all of them."""


def scan_markdown(
    summary: Summary,
    reports: Iterable[RunReport] = (),
    min_severity: Severity = Severity.MEDIUM,
    top: int | None = None,
) -> Iterator[str]:
    """What all runs come to, then each of the given reports with its findings, piece by piece."""
    yield f"# Headway scan\n\n{escaped(headline(summary))}\n"
    for line in (circumstances(summary), saved_in_words(summary)):
        if line:
            yield f"\n{escaped(line)}.\n"
    tables = list(_tables(summary))
    yield from tables
    if not tables and top is None:
        yield from _commonest(summary, min_severity)
    if not tables or top is not None:
        yield from _worst(summary, LISTED if top is None else top, asked=top is not None)
    yield from _unread(summary)
    heading = "\n## Runs\n"
    for report in reports:
        yield heading + _run(report, min_severity)
        heading = ""


def _commonest(summary: Summary, min_severity: Severity) -> Iterator[str]:
    rows = [
        (escaped(one.name), f"{one.runs:,}", f"{one.findings:,}", str(one.severity))
        for one in summary.commonest(min_severity)
    ]
    if rows:
        yield "\n## Most common patterns\n\n" + table(("Pattern", "Runs", "Findings", "Severity"), rows, words=1) + "\n"


def _tables(summary: Summary) -> Iterator[str]:
    """What was asked for: runs added up, and two sides compared."""
    if summary.groups is not None:
        groups, left_out = summary.groups, len(summary.groups.rows()) - GROUPS
        yield f"\n## By {', '.join(groups.by)}\n\n" + _table(group_rows(groups, GROUPS), len(groups.by)) + "\n"
        if left_out > 0:
            yield f"\nand {counted(left_out, 'more group')}; `--format json` has them all\n"
    if summary.comparison is not None:
        yield "\n## Compared\n\n" + _table(comparison_rows(summary.comparison), 1) + "\n"


def _table(rows: Iterable[Sequence[str]], names: int) -> str:
    """A table with as many columns of names before its numbers."""
    heading, *others = ([escaped(cell) if cell else "" for cell in row] for row in rows)
    rule = ["---"] * names + ["---:"] * (len(heading) - names)
    return "\n".join(f"| {' | '.join(row)} |" for row in (heading, rule, *others))


def _worst(summary: Summary, most: int, asked: bool) -> Iterator[str]:
    runs = [one.report for one in summary.worst() if one.report.verdict is not Action.CONTINUE][:most]
    rows = [
        (escaped(run_name(one)), f"{one.steps:,}", f"{one.after_stop.steps:,}", str(one.verdict),
         escaped(stopped_in_words(one)), escaped(one.source))
        for one in runs
    ]  # fmt: skip
    if rows:
        headings = ("Run", "Steps", "After a stop", "Verdict", "Why", "Recording")
        yield "\n## Worst runs\n\n" + table(headings, rows, words=3) + "\n"
    elif asked:
        yield f"\n{NO_WORST}\n"


def _unread(summary: Summary) -> Iterator[str]:
    if summary.unread:
        yield "\n## Recognised, but no record could be read\n\n"
        yield "".join(f"- {escaped(why)}\n" for why in summary.unread[:LISTED])
        if (more := summary.files_unread - LISTED) > 0:
            yield f"- and {counted(more, 'more recording')}\n"


def _run(report: RunReport, min_severity: Severity) -> str:
    told = stopped_in_words(report)
    lines = [
        f"\n### {escaped(report.run)}: {report.verdict}",
        "",
        f"{escaped(about(report))}, {escaped(report.source)}",
    ]
    if told:
        lines += ["", f"Decision: **{report.verdict}** {escaped(told)}."]
    shown = [finding for finding in report.findings if finding.severity.rank >= min_severity.rank]
    lines += ["", *(
        f"- {steps_of(one)}, **{one.severity}** {escaped(one.detector)}: {escaped(one.message)}" for one in shown
    )]  # fmt: skip
    if report.more_findings:
        lines.append(f"- and {counted(report.more_findings, 'more finding')}")
    return "\n".join(lines if shown else [*lines, "Nothing to report."]) + "\n"
