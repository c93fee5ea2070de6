"""`headway digest`: what agents did in the last days, and how that compares with the days before."""

import sqlite3
import time
from pathlib import Path

import click
import msgspec

from headway.cli.app import ended_by_signals
from headway.cli.options import prices_found, settings_found, with_output, with_prices, with_settings
from headway.cli.output import write
from headway.cli.recordings import Once, all_sources, complaint, followed, found_on_this_machine
from headway.config.price_files import PriceTable
from headway.reports.json import visible
from headway.reports.summary import Summary
from headway.store.overview import list_sessions
from headway.study.digest import DAY, WORST, Digest, as_markdown, as_text
from headway.study.scan import ScanOptions, scan_all

MAX_SESSIONS = 500


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]…")
@click.option("--days", type=click.IntRange(1, 366), default=7, show_default=True, help="Length of the digest.")
@click.option("--format", "form", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True)
@with_output()
@with_prices
@click.option("--no-content", is_flag=True, help="Show only names, counts and hashes, no content.")
@with_settings
@ended_by_signals()
def command(
    paths: tuple[str, ...],
    days: int,
    form: str,
    output: Path | None,
    prices_file: Path | None,
    no_content: bool,
    overrides: tuple[str, ...],
) -> int:
    """Sum up the last week: runs, hours, cost, waste, the worst three runs, and the trend.

    The digest is made from the recordings on this machine, or from those in PATH, and from the sessions that hooks have
    watched. The days are compared with as many days before them. Secrets are masked.

    \b
      headway digest
      headway digest --days 30 --format markdown -o digest.md
      headway digest --format json

    Exit codes: 0 written; 2 something could not be read (the rest is still counted).
    """
    settings, prices = settings_found(overrides), prices_found(prices_file)
    digest = Digest(time.time(), days, (Summary(WORST, 0, prices.dated), Summary(WORST, 0, prices.dated)))
    asked = ScanOptions(None, settings, False, not no_content, digest.since - days * DAY, prices)
    sources, once = all_sources(paths or found_on_this_machine()), None if paths else Once()
    for file in followed(scan_all(sources, asked), sources):
        told = {name: complaint(getattr(file, name), asked.content) for name in ("trouble", "unread", "passed_over")}
        digest.add(msgspec.structs.replace(once.of(file) if once else file, **told))
    if once:
        once.tell()
    _add_live(digest, prices)
    if not digest.this.runs and not digest.before.runs:
        click.echo(f"No runs in the last {2 * days} days were found; --days goes further back", err=True)
    for trouble in digest.this.troubles:
        click.echo(f"Error: {trouble}", err=True)
    if form == "json":
        text = msgspec.json.format(msgspec.json.encode(digest.as_data()), indent=2).decode()
        write(output, [visible(text), "\n"])
    else:
        lines = as_text(digest) if form == "text" else as_markdown(digest)
        write(output, (f"{line}\n" for line in lines))
    return 2 if digest.this.troubles else 0


def _add_live(digest: Digest, prices: PriceTable) -> None:
    """Count what hooks did. If the database cannot be read, say so and continue."""
    try:
        digest.add_live(list_sessions(since=digest.since, limit=MAX_SESSIONS), prices)
    except sqlite3.Error as error:
        click.echo(f"Error: the sessions that hooks watched could not be read: {error}", err=True)
