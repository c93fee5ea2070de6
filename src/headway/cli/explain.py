"""`headway explain`: what one detector looks for."""

import click
from rich.padding import Padding
from rich.text import Text

from headway.cli.detector_list import all_detectors
from headway.cli.output import Terminal
from headway.config.settings import nearest
from headway.reports.detectors import describe


@click.command()
@click.argument("id")
def command(id: str) -> None:
    """Tell what a detector looks for, when it speaks, and what can be set.

    `headway detectors` lists the ids.
    """
    known = all_detectors()
    if id not in known:
        raise click.ClickException(f"there is no detector {id!r}{nearest(id, known)}")
    one = describe(known[id])
    console = Terminal()
    console.print(
        Text.assemble((one.id, "bold cyan"), f"  {one.title}  ", (f"{one.scale} scale, {one.severity}", "dim"))
    )
    for heading, text in one.sections.items():
        console.print(Padding(Text.assemble((f"{heading}: ", "bold"), text), (1, 0, 0, 2)))
    console.print(Padding(Text("Settings", style="bold"), (1, 0, 0, 2)))
    for setting in one.settings:
        line = Text.assemble((setting.name, "cyan"), f" = {setting.default!s}  ", (setting.doc, "dim"))
        console.print(Padding(line, (0, 0, 0, 4)))
