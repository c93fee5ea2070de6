"""What `headway scan` writes: the report in the format that was asked for, or suggestions to paste."""

from collections.abc import Iterable
from typing import TextIO

import click

from headway import __version__
from headway.cli.output import Terminal, width_of
from headway.core.decision import Action
from headway.core.finding import Severity
from headway.core.run_report import ENDING, RunReport
from headway.reports.summary import Summary
from headway.reports.text import as_text
from headway.rolling.text import printable


def write_report(
    out: TextIO,
    form: str,
    summary: Summary,
    listed: Iterable[RunReport],
    min_severity: Severity,
    top: int | None,
    fail_on: str | None,
) -> None:
    """Write the report. A format is imported only if it is asked for."""
    if form == "text":
        console = Terminal(file=out, markup=False, width=width_of(out))
        for part in as_text(summary, listed, min_severity, top):
            console.print(part)
    elif form == "json":
        from headway.reports.json import as_json

        out.writelines(as_json(summary, listed))
    elif form == "junit":
        from headway.reports.junit import as_junit

        out.writelines(as_junit(listed, lambda verdict: fails(verdict, fail_on), min_severity))
    elif form == "sarif":
        from headway.reports.sarif import as_sarif

        out.writelines(as_sarif(listed, __version__, min_severity))
    elif form == "markdown":
        from headway.reports.scan_markdown import scan_markdown

        out.writelines(scan_markdown(summary, listed, min_severity, top))
    else:
        from headway.reports.scan_html import scan_page

        out.writelines(scan_page(summary, min_severity))


def write_suggestions(out: TextIO, summary: Summary) -> None:
    """Write the block to paste. The runs behind each line go to standard error, not into the block."""
    from headway.reports.suggestions import as_block, evidence

    suggestions = summary.suggestions.all()
    if not suggestions:
        click.echo("Nothing to suggest: no command, path or tool failed in a way that a note would prevent.", err=True)
        return
    out.writelines(printable(line) for line in as_block(suggestions))
    out.flush()
    click.echo("\nThe runs behind each line:", err=True)
    for line in evidence(suggestions):
        click.echo(f"  {printable(line)}", err=True)


def fails(verdict: Action, fail_on: str | None) -> bool:
    """Whether a run with this decision makes the command exit with 1."""
    if fail_on is None:
        return verdict in ENDING
    return fail_on != "never" and verdict.rank >= Action(fail_on).rank
