"""`headway explain`: what a detector looks for, or what another reason for a decision means."""

import inspect

import click
from rich.padding import Padding
from rich.text import Text

from headway.cli.detector_list import all_detectors
from headway.cli.output import Terminal
from headway.config.renames import current_id
from headway.config.settings import nearest
from headway.core.detector import Detector
from headway.policy.reasons import REASONS
from headway.reports.detectors import describe, describe_reason


@click.command()
@click.argument("id")
def command(id: str) -> None:
    """Explain a detector or another reason for a decision: when it fires, what clears it, its settings, its code.

    `headway detectors` lists the detectors.

    \b
      headway explain exact_cycle
    """
    id = current_id(id)
    kind = _detector(id)
    one = describe(kind) if kind else describe_reason(id, REASONS[id])
    console = Terminal()
    about = f"{one.scale} scale, {one.severity}" if one.scale else "reason for a decision"
    console.print(Text.assemble((one.id, "bold cyan"), f"  {one.title}  ", (about, "dim")))
    for heading, text in one.sections.items():
        console.print(Padding(Text.assemble((f"{heading}: ", "bold"), text), (1, 0, 0, 2)))
    if one.only_recorded:
        console.print(Padding(Text(one.only_recorded), (1, 0, 0, 2)))
    if one.settings:
        console.print(Padding(Text("Settings", style="bold"), (1, 0, 0, 2)))
    for setting in one.settings:
        line = Text.assemble((setting.name, "cyan"), f" = {setting.default!s}  ", (setting.doc, "dim"))
        console.print(Padding(line, (0, 0, 0, 4)))
    if kind is not None:
        console.print(Padding(Text.assemble(("Code: ", "bold"), inspect.getfile(kind)), (1, 0, 0, 2)))


def _detector(id: str) -> type[Detector] | None:
    """The detector with this id; None for a reason that is not a detector."""
    if id in REASONS:
        return None
    known = all_detectors()
    if id not in known:
        raise click.ClickException(f"no detector or reason {id!r}{nearest(id, [*known, *REASONS])}")
    return known[id]
