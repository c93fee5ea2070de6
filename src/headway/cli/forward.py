"""`headway forward`: send the events of this machine's agents to Kafka."""

import sqlite3
import time

import click

from headway.cli.options import settings_found
from headway.store.errors import is_busy

_NOT_SET = "the setting forward.kafka is not set, so hooks queue nothing; `headway config forward` shows the settings"


@click.command()
@click.option("--once", is_flag=True, help="Send what is waiting and exit, instead of running until interrupted.")
@click.option("--patience", type=float, default=30.0, show_default=True, help="With --once: seconds to keep trying.")
def command(once: bool, patience: float) -> int:
    """Send the events of this machine's agents to Kafka, for `headway fleet`.

    With the setting `forward.kafka = "HOST:PORT"` in your own settings, the hook puts each event into a queue on disk,
    and this command sends them from there. An agent never waits for Kafka. While the broker is down, events wait, up to
    `forward.queue_mb` megabytes; then new ones are dropped and counted. `headway status` shows how many wait. Run one
    of these for each user of a machine.

    Outputs and messages are sent as digests unless `forward.content` is true.

    Exit codes: 0 ended, and with --once everything was sent; 1 with --once, if events still wait; 2 nothing to do.
    """
    settings = settings_found()
    if not settings.forward.kafka:
        raise click.ClickException(_NOT_SET)
    try:
        from headway.fleet.forward import FAULTS, Forwarder
    except ImportError as error:
        raise click.ClickException(
            f"`headway forward` needs a Kafka client ({error.name} is missing): pip install 'headway-agents[fleet]'"
        ) from None
    from headway.fleet.client import client_properties

    properties = client_properties(settings.forward.kafka, settings.forward)
    forwarder = Forwarder(properties, lambda line: click.echo(line, err=True))
    deadline = time.monotonic() + patience
    while True:
        try:
            is_waiting = forwarder.work()
        except (sqlite3.Error, FAULTS) as error:
            if not (isinstance(error, sqlite3.Error) and is_busy(error)):
                raise click.ClickException(f"{error}; nothing is sent until this is started again") from error
            is_waiting = True  # hooks keep the database busy
        if once and (not is_waiting or time.monotonic() > deadline):
            return int(is_waiting)
