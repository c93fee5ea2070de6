"""`headway report` for the results of a scan in shards."""

from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import click

from headway.cli.output import opened
from headway.cli.scan_output import Spool, are_listed, complain, kept_runs, put_aside, write_report
from headway.core.finding import Severity
from headway.core.run_report import ScannedFile
from headway.reports.summary import Summary
from headway.reports.words import counted
from headway.sources.storage import is_url
from headway.study.batch import PLAN
from headway.study.results import Results, results_at


def are_results(place: str) -> bool:
    """Whether this is a place with results, and not a loop."""
    return is_url(place) or any(Path(place).glob(PLAN)) or any(Path(place).glob(f"*/{PLAN}"))


def report_results(
    place: str, form: str, out: Path | None, runs: bool | None, lowest: Severity, top: int | None
) -> None:
    """Write a report from the tables, without holding them in memory."""
    try:
        results = _results(place)
        dated = date.fromisoformat(results.plan.prices_dated) if results.plan.prices_dated else None
        summary = Summary(*kept_runs(form, top), dated)
        with opened(out) as stream, closing(Spool()) as reports:
            for file in _files(results):
                counted_in = summary.add(file)
                if are_listed(form, runs, summary):
                    put_aside(reports, counted_in)
            if results.missing:
                of_all = counted(len(results.plan.shards), "shard")
                click.echo(f"not scanned yet: {results.missing:,} of {of_all}", err=True)
            complain(summary, results.plan.paths)
            listed = reports if are_listed(form, runs, summary) else ()
            write_report(stream, form, summary, listed, lowest, top, None)
    except ImportError as error:
        raise click.ClickException("results are read with pyarrow: pip install 'headway-agents[parquet]'") from error


def _files(results: Results) -> Iterator[ScannedFile]:
    """The recordings. Separates errors in a table from errors of the output."""
    try:
        yield from results.files()
    except OSError as error:
        raise click.ClickException(str(error)) from error


def _results(place: str) -> Results:
    try:
        found = results_at(place)
        if len(found) > 1:
            told = "\n  ".join(found)
            raise click.ClickException(f"{place} has the results of several scans; name one of them:\n  {told}")
        if not found:
            raise click.ClickException(f"{place}: no results of a scan")
        return Results(found[0])
    except OSError as error:
        raise click.ClickException(str(error)) from error
