"""`headway pack`: pack recordings into a few large files for scans of many runs."""

from collections.abc import Iterator
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

from headway.cli.app import ended_by_signals
from headway.cli.options import with_reader
from headway.cli.recordings import all_sources, complaint
from headway.readers import NothingReadableError, UnknownFormatError
from headway.reports.words import counted, large
from headway.sources import Source
from headway.sources.packed import UnreadableError
from headway.sources.storage import path_of, storage_at
from headway.study.flat_events import FlatEvents, are_flat_events
from headway.study.packing import SHARD, Names, Session, Shards, sessions_in

MEGABYTE = 1_000_000


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="IN…")
@click.argument("out")
@click.option(
    "--shard-size", type=click.IntRange(min=1), default=SHARD // MEGABYTE, show_default=True, metavar="MB",
    help="Size of the events in one file, before compression.",
)  # fmt: skip
@click.option("--force", is_flag=True, help="Write into a folder that has packed sessions already, and replace them.")
@with_reader
@ended_by_signals()
def command(paths: tuple[str, ...], out: str, shard_size: int, force: bool, reader: str | None) -> int:
    """Pack recordings into Parquet files with one row for each session.

    IN is a file, a folder or a URL (s3://, gs://, az://, hf://), with recordings in any format or with tables that have
    one event in each row. Such a table needs the columns run and type; `headway schema` describes the others. Its rows
    may be in any order and in several files. OUT is a folder or a URL. `headway scan OUT` reads the packed sessions.
    Nothing is masked: the files contain everything the recordings contain.

    \b
      headway pack ~/.claude/projects packed/
      headway pack s3://bucket/recordings/ s3://bucket/packed/
      headway pack events/*.parquet packed/

    Exit codes: 0 written; 2 something could not be read (the rest is still written); 130 interrupted.
    """
    try:
        return _pack(paths, out, shard_size * MEGABYTE, force, reader)
    except ImportError as error:
        raise click.ClickException("pack needs pyarrow: pip install 'headway-agents[parquet]'") from error
    except OSError as error:
        told = f"{out}: cannot be written: {error.strerror}" if error.strerror else str(error)
        raise click.ClickException(told) from error


def _pack(paths: tuple[str, ...], out: str, shard_size: int, force: bool, reader: str | None) -> int:
    storage = storage_at(out)
    old = [file.name for file in storage.files() if _is_shard(file.name)]
    if old and not force:
        raise click.ClickException(f"{out} has packed sessions already; use --force to replace them")
    sources = all_sources(paths)
    if replaced := next((source.name for source in sources if _is_in(source, out, old)), None):
        raise click.ClickException(f"{replaced} would be replaced before it is read; pack into another folder")
    packing = _Packing(sources, reader)
    with Shards(storage, shard_size) as shards:
        for session in packing.sessions():
            while old:  # before the first new one, so that an interrupted pack is not a mixture
                storage.remove(old.pop())
            shards.add(session)
        shards.close()
    packing.tell()
    if not shards.sessions:
        raise click.ClickException(f"no recordings found in {', '.join(paths)}")
    told = f"{counted(shards.sessions, 'session')} with {counted(shards.events, 'event')}, {large(shards.size)}B"
    click.echo(f"{told}, in {counted(len(shards.names), 'file')} in {out}", err=True)
    return 2 if packing.troubles else 0


def _is_shard(name: str) -> bool:
    return name.startswith("sessions-") and name.endswith(".parquet") and "/" not in name


def _is_in(source: Source, out: str, names: list[str]) -> bool:
    """Whether a recording is one of these files of a place."""
    place = source.url or (str(source.path.resolve()) if source.path else "")
    above = out.rstrip("/") if source.url else str(Path(path_of(out) or out).resolve())
    return any(place == f"{above}/{name}" for name in names)


class _Packing:
    """Reads recordings and tables. What cannot be read is counted and named."""

    def __init__(self, sources: list[Source], reader: str | None) -> None:
        self._sources, self._reader = sources, reader
        self._names = Names()
        self.skipped_files = 0
        self.troubles: list[str] = []

    def sessions(self) -> Iterator[Session]:
        """All sessions: those of recordings, then those of tables, which have to be sorted first."""
        tables = []
        console = Console(stderr=True)
        quiet = len(self._sources) < 2 or not console.is_terminal
        for source in track(self._sources, "packing", console=console, transient=True, disable=quiet):
            if self._reader is None and self._is_table(source):
                tables.append(source)
            else:
                yield from map(self._names.of, self._recorded(source))
            source.close()
        if tables:
            flat = FlatEvents([str(source.url or source.path) for source in tables])
            try:
                yield from map(self._names.of, flat.sessions())
            except UnreadableError as error:
                self.troubles.append(str(error))
            if flat.skipped:
                self.troubles.append(
                    f"{counted(flat.skipped, 'event')} could not be read; the first: {flat.first_fault}"
                )

    def _recorded(self, source: Source) -> Iterator[Session]:
        try:
            yield from sessions_in(source, self._reader)
        except UnknownFormatError:
            self.skipped_files += 1
        except NothingReadableError as error:
            self.troubles += [str(error)] if error.skipped else []
        except OSError as error:
            self.troubles.append(f"{source.name}: {error.strerror or error}")
        else:
            if source.broken_off:
                self.troubles.append(f"{source.name}: {source.broken_off}")
            elif source.skipped:
                told = f"{counted(source.skipped, 'record')} could not be read; the first: {source.first_fault}"
                click.echo(complaint(f"{source.name}: {told}"), err=True)

    def _is_table(self, source: Source) -> bool:
        try:
            return source.name.endswith(".parquet") and are_flat_events(source.names)
        except OSError:
            return False  # reading it as a recording reports the error

    def tell(self) -> None:
        """Say what was left out."""
        for trouble in self.troubles:
            click.echo(f"Error: {complaint(trouble)}", err=True)
        if self.skipped_files:
            of_all = counted(len(self._sources), "file")
            click.echo(f"{self.skipped_files:,} of {of_all} skipped: not a recording", err=True)
