"""`headway convert`: convert recordings to another format."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.progress import Progress

from headway.cli.options import prices_found, with_reader
from headway.cli.output import opened
from headway.cli.recordings import complaint, sources_of
from headway.core.events import Event, encode_event
from headway.readers import NothingReadableError, UnknownFormatError
from headway.readers import opened as recording_opened
from headway.reports.atif import Trajectories
from headway.reports.words import counted
from headway.sources import Source, readable


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH…")
@click.option("--to", "form", type=click.Choice(["atif", "events", "parquet"]), required=True, help="Output format.")
@click.option(
    "-o", "--output", "--out", "output", type=click.Path(path_type=Path), help="Write to this file or folder."
)
@with_reader
def command(paths: tuple[str, ...], form: str, output: Path | None, reader: str | None) -> int:
    """Convert recordings of any agent to ATIF trajectories, to Headway's events or to Parquet tables.

    PATH is a file, a folder (searched recursively), a URL (s3://…), or - for standard input. Events are written one per
    line. With `--to atif` each run becomes one ATIF trajectory (the format of Harbor), one per line if there are
    several. `headway schema` describes the events. Nothing is masked: the copy contains everything that the recording
    contains.

    `--to parquet` writes four tables into the folder given with -o: runs, steps, findings and decisions. They
    hold what a scan reports, without outputs, and secrets are masked.

    Needs the extra `parquet` for that: pip install 'headway-agents[parquet]'.

    \b
      headway convert session.jsonl --to atif -o trajectory.json
      headway convert ~/.codex/sessions --to events | gzip > codex.jsonl.gz
      some-program | headway convert - --to events
      headway convert ~/.claude/projects --to parquet -o tables

    Exit codes: 0 written; 2 something could not be read (the rest of a folder is still written); 130 interrupted. The
    file given with -o is replaced only after everything has been written.
    """
    sources = [(source, _is_folder(path)) for path in paths for source in sources_of(path)]
    if form == "parquet":
        return _write_tables(sources, paths, output, reader)
    as_lines = _trajectories if form == "atif" else _events
    named: dict[str, str] | None = {} if len(sources) > 1 else None
    written = 0
    left = _LeftOut()
    with opened(output) as out, _progress(len(sources)) as progress:
        for source, in_folder in progress.track(sources, description="converting"):
            for line in as_lines(_named(_read(source, reader, in_folder, left), source.name, named)):
                out.write(line.decode() + "\n")
                written += 1
            if source.broken_off:
                left.troubles.append(f"{source.name}: {source.broken_off}")
            _tell_skipped(source)
            source.close()
        for trouble in left.troubles:
            click.echo(f"Error: {complaint(trouble)}", err=True)
        if not written:
            what = "nothing readable" if left.unread else "no recordings found"
            raise click.ClickException(f"{what} in {', '.join(readable(Path(path)) for path in paths)}")
    if left.passed_over:
        click.echo(f"{left.passed_over:,} of {counted(len(sources), 'file')} skipped: not a recording", err=True)
    return 2 if left.troubles or left.damaged else 0


def _is_folder(path: str) -> bool:
    """Whether a path names many files, some of which may not be recordings."""
    return "://" in path or Path(path).is_dir()


def _write_tables(
    sources: list[tuple[Source, bool]], paths: tuple[str, ...], folder: Path | None, reader: str | None
) -> int:
    """Write runs, steps, findings and decisions into a folder."""
    from headway.sources.storage import storage_at
    from headway.study.parquet import OF_CONVERT, ParquetFiles  # rarely needed
    from headway.study.scan import ScanOptions, scanned
    from headway.study.tables import Tables

    if folder is None:
        raise click.UsageError("--to parquet writes several files: name a folder for them with -o")
    left, written, asked = _LeftOut(), 0, ScanOptions(reader, prices=prices_found(None), steps=True)
    try:
        with (
            ParquetFiles(storage_at(str(folder)), OF_CONVERT, "{}.parquet".format) as files,
            _progress(len(sources)) as progress,
        ):
            for source, in_folder in progress.track(sources, description="converting"):
                with _passed_over(source, in_folder, left):
                    tables = Tables()
                    for run in scanned(source, asked):
                        tables.add_run(run)
                    files.add(tables)
                    written += len(tables.runs)
                source.close()
            if not written:
                raise click.ClickException(
                    f"no recordings found in {', '.join(readable(Path(path)) for path in paths)}"
                )
    except ImportError as error:
        raise click.ClickException("--to parquet needs pyarrow: pip install 'headway-agents[parquet]'") from error
    for trouble in left.troubles:
        click.echo(f"Error: {complaint(trouble)}", err=True)
    click.echo(f"{counted(written, 'run')} in {readable(folder)}", err=True)
    return 2 if left.troubles or left.damaged else 0


class _LeftOut:
    """Files of a folder from which nothing was written, and why."""

    def __init__(self) -> None:
        self.passed_over = self.unread = self.damaged = 0
        """Files that are not recordings; recordings without a readable record; recordings with unreadable records."""
        self.troubles: list[str] = []


def _progress(files: int) -> Progress:
    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=files < 2 or not console.is_terminal)


def _named(stream: Iterable[Event], source: str, named: dict[str, str] | None) -> Iterator[Event]:
    """The same events. If there are several files, a run without a name is named after its file."""
    for event in stream:
        if named is not None and (not event.run or named.setdefault(event.run, source) != source):
            event = msgspec.structs.replace(event, run=f"{source}#{event.run}" if event.run else source)
        yield event


def _read(source: Source, reader: str | None, in_folder: bool, left: _LeftOut) -> Iterator[Event]:
    """The events of a recording."""
    with _passed_over(source, in_folder, left):
        yield from recording_opened(source, reader)[1]


@contextmanager
def _passed_over(source: Source, in_folder: bool, left: _LeftOut) -> Iterator[None]:
    """Read a recording. A fault in one file of a folder is recorded and does not affect the others."""
    try:
        yield
    except (UnknownFormatError, NothingReadableError) as error:
        if not in_folder:
            raise click.ClickException(complaint(str(error))) from error
        if isinstance(error, NothingReadableError):
            click.echo(complaint(str(error)), err=True)
            left.unread += 1
            left.damaged += error.skipped > 0
        else:
            left.passed_over += 1
    except OSError as error:
        why = f"{source.name}: {error.strerror or error}"
        if not in_folder:
            raise click.ClickException(complaint(why)) from error
        left.troubles.append(why)


def _events(stream: Iterable[Event]) -> Iterator[bytes]:
    return map(encode_event, stream)


def _trajectories(stream: Iterable[Event]) -> Iterator[bytes]:
    trajectories = Trajectories()
    for event in stream:
        trajectories.take(event)
    return map(msgspec.json.encode, trajectories.finished())


def _tell_skipped(source: Source) -> None:
    if source.skipped and not source.broken_off:
        told = f"{source.name}: {counted(source.skipped, 'record')} could not be read; the first: {source.first_fault}"
        click.echo(complaint(told), err=True)
