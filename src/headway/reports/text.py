"""The report for people, in a terminal: the sum of it first, then run by run.

Everything that comes from a recording is shown as text: control characters are made visible, and nothing in
it is taken for markup.
"""

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from headway.core.decision import Action
from headway.core.finding import Severity
from headway.reports.run import RunReport
from headway.reports.summary import Summary
from headway.reports.words import about, circumstances, counted, headline, saved_in_words, steps_of, stopped_in_words

SEVERITY_STYLES = {
    Severity.LOW: "dim",
    Severity.MEDIUM: "yellow",
    Severity.HIGH: "bold red",
    Severity.CRITICAL: "bold red",
}
VERDICT_STYLES = {Action.CONTINUE: "green", Action.NUDGE: "yellow", Action.BLOCK: "yellow"}
LISTED = 10
"""Patterns and runs that the summary names."""


def as_text(
    summary: Summary, reports: Iterable[RunReport] = (), min_severity: Severity = Severity.MEDIUM
) -> Iterator[RenderableType]:
    """What all runs come to, then each of the given reports with its findings."""
    yield from _summary(summary, min_severity)
    for report in reports:
        yield Group(_heading(report), Padding(_findings(report, min_severity), (0, 0, 1, 2), expand=False))


def plain(text: str) -> str:
    """Text of unknown origin on one line, with nothing in it that a terminal would obey."""
    line = " ".join(text.split())
    return line if line.isprintable() else "".join(char if char.isprintable() else " " for char in line)


def verdict_style(verdict: Action) -> str:
    """The colour of a verdict."""
    return VERDICT_STYLES.get(verdict, "bold red")


def _summary(summary: Summary, min_severity: Severity) -> Iterator[RenderableType]:
    yield Text(headline(summary), style="bold")
    if details := circumstances(summary):
        yield Text(plain(details), style="dim")
    if saved := saved_in_words(summary):
        yield Text(f"\n{saved}", style="bold")
    yield from _commonest(summary, min_severity)
    yield from _worst(summary)
    yield Text()


def _commonest(summary: Summary, min_severity: Severity) -> Iterator[RenderableType]:
    found = summary.commonest(min_severity)
    if not found:
        return
    table = _table()
    for pattern in found[:LISTED]:
        times = f"in {counted(pattern.runs, 'run')}, {counted(pattern.findings, 'finding')}"
        table.add_row(Text(str(pattern.severity), style=SEVERITY_STYLES[pattern.severity]), pattern.name, Text(times))
    yield Text("\nCommonest patterns", style="bold")
    yield Padding(table, (0, 0, 0, 2), expand=False)
    yield from _more(len(found) - LISTED, "pattern")


def _worst(summary: Summary) -> Iterator[RenderableType]:
    runs = [one.report for one in summary.worst() if one.report.verdict is not Action.CONTINUE]
    if not runs:
        return
    table = _table()
    for report in runs[:LISTED]:
        verdict = Text(str(report.verdict), style=verdict_style(report.verdict))
        table.add_row(verdict, Text(plain(report.run), overflow="fold"), Text(plain(stopped_in_words(report))))
    yield Text("\nWorst runs", style="bold")
    yield Padding(table, (0, 0, 0, 2), expand=False)
    acted = sum(count for verdict, count in summary.verdicts.items() if verdict != Action.CONTINUE)
    yield from _more(acted - LISTED, "run")


def _more(count: int, what: str) -> Iterator[Text]:
    if count > 0:
        yield Text(f"  and {counted(count, what)} more", style="dim")


def _table() -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(style="cyan", overflow="fold")
    table.add_column(overflow="fold")
    return table


def _heading(report: RunReport) -> Text:
    heading = Text()
    heading.append(f"{report.verdict:9}", style=verdict_style(report.verdict))
    heading.append(plain(report.run), style="bold")
    if told := stopped_in_words(report):
        heading.append(f"  {plain(told)}")
    heading.append("  " + plain(about(report)), style="dim")
    return heading


def _findings(report: RunReport, min_severity: Severity) -> RenderableType:
    shown = [finding for finding in report.findings if finding.severity.rank >= min_severity.rank]
    if not shown:
        return Text("nothing to report", style="dim")
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, style="cyan")
    table.add_column(overflow="fold")
    for finding in shown:
        severity = Text(str(finding.severity), style=SEVERITY_STYLES[finding.severity])
        table.add_row(steps_of(finding), severity, finding.detector, Text(plain(finding.message)))
    if report.more_findings:
        table.add_row("", "", "", Text(f"and {counted(report.more_findings, 'finding')} more", style="dim"))
    return table
