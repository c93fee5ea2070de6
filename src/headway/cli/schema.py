"""`headway schema`: the event format, as JSON Schema."""

import click
import msgspec

from headway.core.events import AnyEvent


@click.command()
def command() -> None:
    """Print the JSON Schema of Headway's event format.

    A recording in this format is a file with one such event on each line.
    """
    schema = msgspec.json.schema(AnyEvent)
    click.echo(msgspec.json.format(msgspec.json.encode(schema), indent=2).decode())
