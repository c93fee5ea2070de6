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
    where_to_look,
)

MAX_RUNS_LISTED = 20
MAX_ROWS = 100
MAX_SUGGESTIONS = 10


def scan_markdown(
    summary: Summary,
    reports: Iterable[RunReport] = (),
    min_severity: Severity = Severity.MEDIUM,
    top: int | None = None,
) -> Iterator[str]:
    """The summary, then each of the given reports with its findings, in parts."""
    yield f"# Headway scan\n\n{escaped(headline(summary))}\n"
    for line in (circumstances(summary), saved_in_words(summary)):
        if line:
            yield f"\n{escaped(line)}.\n"
    tables = list(_tables(summary))
    yield from tables
    if not tables and top is None:
        yield from _commonest(summary, min_severity)
    if not tables or top is not None:
        yield from _worst(summary, MAX_RUNS_LISTED if top is None else top, asked=top is not None)
    if not tables and top is None:
        yield from _to_change(summary)
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
    """The requested tables: groups of runs, and the comparison of two sides."""
    if summary.groups is not None:
        groups, left_out = summary.groups, len(summary.groups.rows()) - MAX_ROWS
        yield f"\n## By {', '.join(groups.by)}\n\n" + _table(group_rows(groups, MAX_ROWS), len(groups.by)) + "\n"
        if left_out > 0:
            yield f"\nand {counted(left_out, 'more group')}; `--format json` has them all\n"
    if summary.comparison is not None:
        nothing = escaped(summary.comparison.nothing_in_words)
        yield "\n## Compared\n\n" + (nothing or _table(comparison_rows(summary.comparison), 1)) + "\n"


def _table(rows: Iterable[Sequence[str]], names: int) -> str:
    """A table whose first `names` columns are names; the others are numbers."""
    heading, *others = ([escaped(cell) if cell else "" for cell in row] for row in rows)
    rule = ["---"] * names + ["---:"] * (len(heading) - names)
    return "\n".join(f"| {' | '.join(row)} |" for row in (heading, rule, *others))


def _worst(summary: Summary, most: int, asked: bool) -> Iterator[str]:
    runs = [(one.report, where_to_look(one)) for one in summary.worst() if one.report.verdict is not Action.CONTINUE]
    rows = [
        (escaped(run_name(one)), f"{one.steps:,}", f"{one.after_stop.steps:,}", str(one.verdict),
         escaped(stopped_in_words(one)), escaped(where))
        for one, where in runs[:most]
    ]  # fmt: skip
    if rows:
        headings = ("Run", "Steps", "After a stop", "Verdict", "Why", "Recording")
        yield "\n## Worst runs\n\n" + table(headings, rows, words=3) + "\n"
    elif asked:
        yield f"\n{NO_WORST}\n"


def _to_change(summary: Summary) -> Iterator[str]:
    suggestions = summary.suggestions.all()
    if suggestions:
        yield "\n## What to change\n\n"
        yield "".join(f"- {escaped(one.line)}\n" for one in suggestions[:MAX_SUGGESTIONS])
        if (more := len(suggestions) - MAX_SUGGESTIONS) > 0:
            yield f"- and {counted(more, 'more suggestion')}\n"


def _unread(summary: Summary) -> Iterator[str]:
    if summary.unread:
        yield "\n## Recognised, but no message and no call could be read\n\n"
        yield "".join(f"- {escaped(why)}\n" for why in summary.unread[:MAX_RUNS_LISTED])
        if (more := summary.files_unread - MAX_RUNS_LISTED) > 0:
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
