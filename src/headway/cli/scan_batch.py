"""`headway scan` with results as Parquet: in shards, on an engine; continues an interrupted scan."""

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from heapq import nsmallest

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from headway import __version__
from headway.cli.engines import engine_for
from headway.cli.recordings import all_sources, complaint
from headway.cli.scan_output import fails
from headway.core.decision import Action
from headway.reports.words import counted, duration, large
from headway.sources import Source
from headway.sources.storage import is_url, path_of
from headway.study.batch import Batch, SetAside
from headway.study.engines import InThisProcess
from headway.study.pool import cores
from headway.study.results import Results, results_at
from headway.study.scan import ScanOptions, scan_each
from headway.study.shards import Shard, ShardDone, shards_of

MAX_PROBLEMS_NAMED = 20
SAMPLE_SECONDS = 3.0
"""How long `--dry-run` scans to estimate the rest."""
MAX_SAMPLE = 100
"""Maximum number of recordings that it scans: the smallest."""


def scan_in_shards(
    paths: Sequence[str],
    asked: ScanOptions,
    out: str,
    engine: str,
    address: str | None,
    workers: int | None,
    fail_on: str | None,
) -> int:
    """Scan everything and write the results below OUT."""
    batch = _batch(paths, asked, out)
    done = len(batch.shards) - len(batch.waiting)
    if done:
        click.echo(f"{done:,} of {counted(len(batch.shards), 'shard')} done by an earlier scan", err=True)
    try:
        with closing(engine_for(engine, address, workers) if batch.waiting else InThisProcess()) as chosen:
            for _ in _followed(batch.run(chosen), batch.waiting):
                pass  # the results are in the tables, with those of an earlier scan
        found = Results(batch.place)
        is_bad = _told(found, asked, paths)
        failed = fail_on is not None and any(fails(Action(verdict), fail_on) for verdict in found.verdicts())
    except OSError as error:
        raise click.ClickException(_reason(error)) from error
    click.echo(batch.place)
    return int(is_bad or failed)


def _told(found: Results, asked: ScanOptions, paths: Sequence[str]) -> bool:
    """Print the results of all shards, including earlier ones; returns whether something could not be read."""
    runs = files = passed_over = 0
    troubles: list[str] = []
    for row in found.recordings():
        runs, files, passed_over = runs + row["runs"], files + 1, passed_over + bool(row["passed_over"])
        why = row["trouble"] or (row["unread"] if row["skipped_records"] else "")
        troubles += [why] if why else []
    troubles += (one.told for one in found.set_aside())
    for trouble in troubles[:MAX_PROBLEMS_NAMED]:
        click.echo(f"Error: {complaint(trouble, asked.content)}", err=True)
    if len(troubles) > MAX_PROBLEMS_NAMED:
        click.echo(f"Error: {counted(len(troubles) - MAX_PROBLEMS_NAMED, 'more file')} could not be read", err=True)
    if passed_over == files and not troubles:
        raise click.ClickException(f"no recordings found in {', '.join(paths)}")
    click.echo(f"{counted(runs, 'run')} in {counted(found.done, 'shard')}; `headway report` shows them:", err=True)
    return bool(troubles)


def estimate(paths: Sequence[str], asked: ScanOptions, out: str, workers: int | None) -> int:
    """Print what a scan would do, and how long it would take."""
    batch = _batch(paths, asked, out)
    waiting = sum(shard.size for shard in batch.waiting)
    told = f"{counted(len(batch.shards), 'shard')}, {large(sum(shard.size for shard in batch.shards))}B"
    click.echo(f"{told}; {len(batch.waiting):,} to do, {large(waiting)}B")
    click.echo(f"results: {batch.place}")
    size, seconds = _sampled([source for shard in batch.waiting for source in shard.sources], asked)
    if size:
        count = workers or cores()
        left = waiting / size * seconds / min(count, len(batch.waiting))
        told = f"about {duration(left)}" if left >= 1 else "less than a second"
        rate = f"{_speed(size, seconds)} each, measured on {large(size)}B"
        click.echo(f"{told} with {counted(count, 'worker')} ({rate})")
    return 0


def _speed(size: int, seconds: float) -> str:
    """Bytes in a second, in a unit in which it is not 0: 7.4 MB/s, 12.3 kB/s."""
    return f"{large(round(size / seconds))}B/s"


def _batch(paths: Sequence[str], asked: ScanOptions, out: str) -> Batch:
    try:
        shards = list(shards_of(_without_results(all_sources(paths), out)))
        if not shards:
            raise click.ClickException(f"no recordings found in {', '.join(paths)}")
        places = [path if path == "-" else _absolute(path) for path in paths]  # a relative path is ambiguous
        return Batch(places, shards, asked, out, __version__)
    except OSError as error:
        raise click.ClickException(_reason(error)) from error


def _without_results(sources: Iterable[Source], out: str) -> Iterator[Source]:
    """The recordings without the tables of earlier scans in the same folders."""
    results = tuple(f"{_absolute(place)}/" for place in results_at(out))
    return (source for source in sources if not _absolute(str(source.url or source.path or "-")).startswith(results))


def _absolute(place: str) -> str:
    return place if is_url(place) and not path_of(place) else os.path.realpath(path_of(place) or place)


def _reason(error: OSError) -> str:
    """The message of an error, from this program or the operating system."""
    return f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error)


def _sampled(sources: Iterable[Source], asked: ScanOptions) -> tuple[int, float]:
    """Bytes of some recordings, and the seconds to scan them."""
    size, begun = 0, time.perf_counter()
    for source in nsmallest(MAX_SAMPLE, sources, key=lambda one: one.size):
        for _ in scan_each(source, asked):
            pass
        size += source.size
        if time.perf_counter() - begun > SAMPLE_SECONDS:
            break
    return size, time.perf_counter() - begun


def _followed(results: Iterator[ShardDone | SetAside], shards: Sequence[Shard]) -> Iterator[ShardDone | SetAside]:
    """The results, with a progress bar: shards, runs, speed and the time left."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn(compact=True), TextColumn("left"))
    sizes = {shard.id: shard.size for shard in shards}
    size = runs = 0
    begun = time.perf_counter()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(f"0 of {len(shards):,} shards", total=sum(sizes.values()))
        for number, one in enumerate(results, 1):
            yield one
            size += sizes[one.id]
            runs += one.runs if isinstance(one, ShardDone) else 0
            rate = _speed(size, time.perf_counter() - begun)
            told = f"{number:,} of {len(shards):,} shards · {runs:,} runs · {rate}"
            progress.update(task, completed=size, description=told)
