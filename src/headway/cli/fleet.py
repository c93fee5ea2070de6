"""`headway fleet`: watch the agents of many machines, whose events come through Kafka."""

import gc
from pathlib import Path

import click

from headway.cli.options import settings_found, with_settings

RARELY = 1_000
"""Minor garbage collections between two full ones, a hundred times the default. A full one scans all sessions,
which takes long and frees nothing: they have no reference cycles."""


@click.command()
@click.option("--kafka", metavar="HOST:PORT", help="Kafka's address. Default: the setting `forward.kafka`.")
@click.option(
    "--state",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("headway-fleet"),
    show_default=True,
    help="Folder for the state of this instance. Each instance needs its own.",
)
@click.option("--group", default="headway", show_default=True, help="Instances with the same group share the work.")
@click.option(
    "--partitions",
    type=click.IntRange(1),
    default=12,
    show_default=True,
    help="Partitions of the topics, if they have to be created: the largest useful number of instances.",
)
@click.option(
    "--replicas",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Copies of each partition, if the topics have to be created.",
)
@click.option(
    "--sessions",
    type=click.IntRange(1),
    default=2_000,
    show_default=True,
    help="Sessions to hold in memory. Others are read from the state folder when they have an event.",
)
@click.option(
    "--metrics",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Serve counters for Prometheus at http://HOST:PORT/metrics, on all interfaces.",
)
@with_settings
def command(
    kafka: str | None,
    state: Path,
    group: str,
    partitions: int,
    replicas: int,
    sessions: int,
    metrics: int | None,
    overrides: tuple[str, ...],
) -> None:
    """Watch the agents of many machines, whose events come through Kafka.

    Reads the topic `headway.events` and writes `headway.findings` and `headway.decisions`. Messages that are not
    events go to `headway.dead` with the reason. `headway schema` prints the format of each. Runs until it is
    interrupted. Start it several times, with a state folder for each, to share the work. `headway forward` sends the
    events of this machine's agents.

    Needs the extra `fleet`: pip install 'headway-agents[fleet]'.

    \b
      headway fleet --kafka localhost:9092 --metrics 9400
    """
    settings = settings_found(overrides)
    address = kafka or settings.forward.kafka
    if address is None:
        raise click.ClickException("no Kafka is given: use --kafka HOST:PORT or the setting forward.kafka")
    try:
        from headway.fleet.application import FAULTS, Options, application
    except ImportError as error:
        raise click.ClickException(
            f"`headway fleet` needs Quix Streams ({error.name} is missing): pip install 'headway-agents[fleet]'"
        ) from None
    from headway.fleet.client import client_properties
    from headway.fleet.counts import Counts
    from headway.fleet.metrics import serve_metrics

    counts = Counts()
    options = Options(
        kafka=client_properties(address, settings.forward),
        state=state,
        group=group,
        partitions=partitions,
        replicas=replicas,
        sessions=sessions,
    )
    if metrics is not None:
        click.echo(f"counters on port {serve_metrics(counts, metrics)}", err=True)
    click.echo(f"reading headway.events at {address} as a member of the group {group!r}; Ctrl+C stops it", err=True)
    gc.set_threshold(700, 10, RARELY)
    try:
        application(options, settings, counts).run()
    except FAULTS as error:
        raise click.ClickException(f"Kafka at {address}: {error}; start this again when it can be reached") from error
    click.echo(f"ended after {counts.taken:,} events", err=True)
