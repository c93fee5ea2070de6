"""The report for people, in a terminal.

Everything that comes from a recording is shown as text: control characters are made visible, and nothing in
it is taken for markup.
"""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from headway.core.decision import Action
from headway.core.finding import Severity
from headway.reports.run import ReportedFinding, RunReport, totals

_STYLES = {Severity.LOW: "dim", Severity.MEDIUM: "yellow", Severity.HIGH: "bold red", Severity.CRITICAL: "bold red"}
_VERDICTS = {Action.CONTINUE: "green", Action.NUDGE: "yellow"}


def as_text(reports: Sequence[RunReport], min_severity: Severity = Severity.MEDIUM) -> RenderableType:
    """Each run with its findings, then what they come to together."""
    parts: list[RenderableType] = []
    for report in reports:
        parts += [_heading(report), Padding(_findings(report, min_severity), (0, 0, 1, 2))]
    return Group(*parts, _summary(reports))


def plain(text: str) -> str:
    """Text of unknown origin on one line, with nothing in it that a terminal would obey."""
    return "".join(char if char.isprintable() else " " for char in " ".join(text.split()))


def _heading(report: RunReport) -> Text:
    heading = Text()
    heading.append(f"{report.verdict:9}", style=_VERDICTS.get(report.verdict, "bold red"))
    heading.append(plain(report.run), style="bold")
    first = next((one for one in report.decisions if one.action is report.verdict), None)
    if first is not None:
        heading.append(f"  at step {first.step}: {first.reason}")
    details = [report.agent, report.model, f"{report.steps} steps"]
    if report.skipped_records:
        details.append(f"{report.skipped_records} records skipped")
    heading.append("  " + plain(", ".join(detail for detail in details if detail)), style="dim")
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
    for finding in sorted(shown, key=lambda f: f.first_step):
        severity = Text(str(finding.severity), style=_STYLES[finding.severity])
        table.add_row(_steps(finding), severity, finding.detector, Text(plain(finding.message)))
    return table


def _steps(finding: ReportedFinding) -> str:
    first, last = finding.first_step, finding.last_step
    return f"step {first}" if first == last else f"steps {first}–{last}"


def _summary(reports: Sequence[RunReport]) -> Text:
    total = totals(reports)
    verdicts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(total["verdicts"].items()))
    line = f"{total['runs']} runs, {total['steps']} steps: {verdicts or 'nothing was read'}"
    return Text(line, style="bold")
