"""`headway detectors`: list all detectors."""

import click
import msgspec
from rich.table import Table

from headway.cli.detector_list import all_detectors
from headway.cli.output import Terminal
from headway.reports.detectors import as_markdown, describe


@click.command()
@click.option("--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True)
def command(form: str) -> None:
    """List all detectors, including those of installed plug-ins."""
    descriptions = [describe(kind) for kind in all_detectors().values()]
    if form == "json":
        click.echo(msgspec.json.format(msgspec.json.encode(descriptions), indent=2).decode())
    elif form == "markdown":
        click.echo(as_markdown(descriptions))
    else:
        table = Table(box=None, pad_edge=False)
        for heading in ("detector", "scale", "severity", "looks for"):
            table.add_column(heading, no_wrap=heading != "looks for", style="cyan" if heading == "detector" else "")
        for one in descriptions:
            table.add_row(one.id, one.scale, one.severity, one.title)
        Terminal().print(table)
