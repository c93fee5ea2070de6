"""`headway schema`: the JSON Schema of Headway's formats."""

import click
import msgspec


@click.command()
@click.argument("what", type=click.Choice(["events", "report", "findings", "decisions", "dead"]), default="events")
def command(what: str) -> None:
    """Print the JSON Schema of a format.

    `events` is Headway's own recording format: one event per line. `report` is the output of `headway scan
    --format json`. `findings`, `decisions` and `dead` are what `headway fleet` writes to Kafka.
    """
    schema = msgspec.json.schema(_report() if what == "report" else _event() if what == "events" else _message(what))
    click.echo(msgspec.json.format(msgspec.json.encode(schema), indent=2).decode())


def _event() -> object:
    from headway.core.events import AnyEvent

    return AnyEvent


def _report() -> object:
    from headway.reports.json import ScanDocument

    return ScanDocument


def _message(what: str) -> object:
    from headway.fleet.topics import Decided, Refused, Seen

    return {"findings": Seen, "decisions": Decided, "dead": Refused}[what]
