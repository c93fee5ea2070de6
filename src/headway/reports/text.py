"""Writes the report for a terminal: the summary, then each run.

Everything from a recording is shown as plain text: control characters are made visible, and nothing is interpreted as
markup.
"""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from headway.core.decision import Action
from headway.core.finding import Severity
from headway.core.run_report import RunReport
from headway.reports.summary import Summary
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

SEVERITY_STYLES = {
    Severity.LOW: "dim",
    Severity.MEDIUM: "yellow",
    Severity.HIGH: "bold red",
    Severity.CRITICAL: "bold red",
}
VERDICT_STYLES = {Action.CONTINUE: "green", Action.NUDGE: "yellow", Action.BLOCK: "yellow"}
MAX_LISTED = 10
MAX_SUGGESTIONS = 3
MAX_ROWS = 30
_BESIDE = 30
"""Minimum width of a text next to its name; if there is less room, the text goes below."""


def as_text(
    summary: Summary,
    reports: Iterable[RunReport] = (),
    min_severity: Severity = Severity.MEDIUM,
    top: int | None = None,
) -> Iterator[RenderableType]:
    """The summary, then each of the given reports with its findings.

    Requested tables replace the most common patterns and the worst runs; `top` adds the latter again.
    """
    yield from _summary(summary, min_severity, top)
    for report in reports:
        yield _heading(report)
        yield _findings(report, min_severity)
        yield Text()


def plain(text: str) -> str:
    """Untrusted text on one line, with control characters made visible."""
    line = " ".join(text.split())
    return line if line.isprintable() else "".join(char if char.isprintable() else " " for char in line)


def verdict_style(verdict: Action) -> str:
    """The colour of a verdict."""
    return VERDICT_STYLES.get(verdict, "bold red")


def _summary(summary: Summary, min_severity: Severity, top: int | None) -> Iterator[RenderableType]:
    yield Text(headline(summary), style="bold")
    if details := circumstances(summary):
        yield Text(plain(details), style="dim")
    if saved := saved_in_words(summary):
        yield Text(f"\n{saved}", style="bold")
    tables = list(_tables(summary))
    yield from tables
    if not tables and top is None:
        yield from _commonest(summary, min_severity)
    if not tables or top is not None:
        yield from _worst(summary, MAX_LISTED if top is None else top, asked=top is not None)
    if not tables and top is None:
        yield from _to_change(summary)
    yield from _unread(summary)
    yield Text()


def _tables(summary: Summary) -> Iterator[RenderableType]:
    """The requested tables: groups of runs, and the comparison of two sides."""
    if summary.groups is None and summary.comparison is None:
        return
    from headway.reports.tables import comparison_rows, group_rows  # a plain scan shows none

    if summary.groups is not None:
        groups, names = summary.groups, len(summary.groups.by)
        yield Text(f"\nBy {', '.join(groups.by)}", style="bold")
        yield from _lines(group_rows(groups, MAX_ROWS), names)
        yield from _more(len(groups.rows()) - MAX_ROWS, "group")
    if summary.comparison is not None:
        yield Text("\nCompared", style="bold")
        if nothing := summary.comparison.nothing_in_words:
            yield Text(f"  {plain(nothing)}")
            return
        yield from _lines(comparison_rows(summary.comparison), 1)


def _lines(rows: Iterable[Sequence[str]], names: int) -> Iterator[Text]:
    shown = [[plain(cell) for cell in row] for row in rows]
    for place, line in enumerate(columns(shown, names)):
        yield Text(f"  {line}", style="" if place else "dim", no_wrap=True, overflow="ignore")


def _commonest(summary: Summary, min_severity: Severity) -> Iterator[RenderableType]:
    found = summary.commonest(min_severity)
    if not found:
        return
    rows = _Rows()
    for pattern in found[:MAX_LISTED]:
        severity = Text(str(pattern.severity), style=SEVERITY_STYLES[pattern.severity])
        times = f"in {counted(pattern.runs, 'run')}, {counted(pattern.findings, 'finding')}"
        rows.add(Text(times), severity, Text(pattern.name, style="cyan"))
    yield Text("\nMost common patterns", style="bold")
    yield rows
    yield from _more(len(found) - MAX_LISTED, "pattern")


def _worst(summary: Summary, most: int, asked: bool) -> Iterator[RenderableType]:
    runs = [one for one in summary.worst() if one.report.verdict is not Action.CONTINUE]
    if not runs:
        if asked:
            yield Text(f"\n{NO_WORST}")
        return
    rows = _Rows()
    for one in runs[:most]:
        report, where = one.report, where_to_look(one)
        rows.add(_named(report, run_name(report), where if where != report.run else "", style="cyan"), _verdict(report))
    yield Text("\nWorst runs", style="bold")
    yield rows
    acted = sum(count for verdict, count in summary.verdicts.items() if verdict != Action.CONTINUE)
    yield from _more(acted - most, "run")


def _to_change(summary: Summary) -> Iterator[RenderableType]:
    suggestions = summary.suggestions.all()
    if not suggestions:
        return
    rows = _Rows()
    for one in suggestions[:MAX_SUGGESTIONS]:
        rows.add(Text(plain(one.line)))
    yield Text("\nWhat to change (--suggest writes it for CLAUDE.md or AGENTS.md)", style="bold")
    yield rows
    yield from _more(len(suggestions) - MAX_SUGGESTIONS, "suggestion")


def _unread(summary: Summary) -> Iterator[RenderableType]:
    if not summary.unread:
        return
    rows = _Rows()
    for why in summary.unread[:MAX_LISTED]:
        rows.add(Text(plain(why)))
    yield Text("\nRecognised, but no message and no call could be read", style="bold")
    yield rows
    yield from _more(summary.files_unread - MAX_LISTED, "recording")


def _more(count: int, what: str) -> Iterator[Text]:
    if count > 0:
        yield Text(f"  and {counted(count, f'more {what}')}", style="dim")


def _verdict(report: RunReport) -> Text:
    return Text(str(report.verdict), style=verdict_style(report.verdict))


def _heading(report: RunReport) -> RenderableType:
    where = [report.source] if report.source != report.run else []
    details = ", ".join([about(report), *where])
    return _Rows(margin=0).add(_named(report, report.run, details, style="bold"), _verdict(report))


def _named(report: RunReport, name: str, details: str, style: str) -> Text:
    """A run with its result, and details on a line of their own."""
    stopped, details = plain(stopped_in_words(report)), plain(details)
    return Text.assemble(
        (plain(name), style), f"  {stopped}" if stopped else "", (f"\n{details}" if details else "", "dim")
    )


def _findings(report: RunReport, min_severity: Severity) -> RenderableType:
    shown = [finding for finding in report.findings if finding.severity.rank >= min_severity.rank]
    if not shown:
        return Text("  nothing to report", style="dim")
    rows = _Rows()
    for finding in shown:
        severity = Text(str(finding.severity), style=SEVERITY_STYLES[finding.severity])
        rows.add(Text(plain(finding.message)), Text(steps_of(finding)), severity, Text(finding.detector, style="cyan"))
    if report.more_findings:
        rows.add(Text(f"and {counted(report.more_findings, 'more finding')}", style="dim"), Text(), Text(), Text())
    return rows


class _Rows:
    """Short cells in columns with a text beside them; on a narrow terminal the text goes below."""

    def __init__(self, margin: int = 2) -> None:
        self._margin = margin
        self._rows: list[tuple[tuple[Text, ...], Text]] = []

    def add(self, text: Text, *cells: Text) -> "_Rows":
        """Add a row: its text, and the cells before it."""
        self._rows.append((cells, text))
        return self

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        columns = zip(*(cells for cells, _ in self._rows), strict=True)
        widths = [max(cell.cell_len for cell in column) for column in columns]
        indent = self._margin + sum(widths) + 2 * len(widths)
        beside = options.max_width - indent >= _BESIDE
        if not beside:
            widths, indent = [0] * len(widths), self._margin + 2
        for cells, text in self._rows:
            head = Text(" " * self._margin)
            for cell, width in zip(cells, widths, strict=True):
                head.append_text(cell).append(" " * (2 + max(0, width - cell.cell_len)))
            lines = text.wrap(console, max(1, options.max_width - indent), overflow="fold")
            told = [Text(" " * indent).append_text(line) for line in lines]
            yield from _ragged([head.append_text(lines[0]), *told[1:]] if beside else [head, *told])


def _ragged(lines: Iterable[Text]) -> Iterator[Text]:
    """The lines without trailing spaces and without empty lines."""
    for line in lines:
        line.rstrip()
        if line:
            yield line


def columns(rows: Sequence[Sequence[str]], names: int = 1) -> Iterator[str]:
    """Rows of short texts as lines. The first `names` columns are left-aligned, the others right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            f"{cell:<{width}}" if place < names else f"{cell:>{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
