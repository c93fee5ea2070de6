"""Finds the recordings that were named on the command line."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from stat import S_ISDIR, S_ISREG

import click
import msgspec
from rich.console import Console

from headway.core.run_report import RunReport, ScannedFile
from headway.readers import recordings_in
from headway.reports.privacy import message_without_secrets
from headway.reports.text import plain
from headway.rolling.text import counted
from headway.sources import Source, readable

MAX_RUNS = 200_000
"""Maximum number of runs to store, to recognise them in another place."""
LARGE = 5_000_000
"""Size in bytes from which a single file gets a progress bar."""


def sources_of(path: str) -> Iterator[Source]:
    """The recordings at a path: a file, all files of a folder, or standard input for -."""
    if path == "-":
        yield Source.stdin()
        return
    if "://" in path:
        yield from _remote(path)
        return
    try:
        Path(path).stat()
        yield from recordings_in(Path(path))
    except FileNotFoundError:
        raise click.ClickException(f"{readable(Path(path))}: no such file or folder") from None
    except OSError as error:
        raise click.ClickException(f"{readable(Path(path))}: {error.strerror or error}") from error


def _remote(url: str) -> Iterator[Source]:
    """The recordings behind a URL."""
    from headway.readers import is_recording
    from headway.sources.remote import remote_sources
    from headway.sources.storage import path_of

    if local := path_of(url):
        yield from sources_of(local)
        return
    try:
        found = False
        for source in remote_sources(url, is_recording):
            found = True
            yield source
    except OSError as error:
        raise click.ClickException(str(error)) from error
    if not found:
        raise click.ClickException(f"{url}: no recordings found")


def all_sources(paths: Iterable[str], follow: bool = True) -> list[Source]:
    """The recordings at all paths, without duplicates from folders inside others or links to the same file.

    Links are not followed if two folders are compared, because a file in both belongs to both.
    """
    found: dict[object, Source] = {}
    for path in paths:
        for source in sources_of(path):
            found.setdefault(_identity(source) if follow else source.name, source)
    return list(found.values())


def _identity(source: Source) -> object:
    """An identity that is equal for two paths to one file or folder. Standard input and pipes equal only themselves."""
    if source.url:
        return source.url
    try:
        seen = source.path.stat() if source.path else None
    except OSError:
        seen = None
    is_lasting = seen is not None and seen.st_ino and (S_ISREG(seen.st_mode) or S_ISDIR(seen.st_mode))
    return (seen.st_dev, seen.st_ino) if seen and is_lasting else id(source)


class Once:
    """Leaves out runs that another recording already had, because programs move recordings and people copy them."""

    def __init__(self) -> None:
        self._seen: set[tuple[object, ...]] = set()
        self.repeated = 0

    def of(self, file: ScannedFile) -> ScannedFile:
        """The file, without runs that were already seen with the same times and counts."""
        runs = tuple(one for one in file.runs if not self._is_known(one.report))
        self.repeated += len(file.runs) - len(runs)
        return msgspec.structs.replace(file, runs=runs)

    def tell(self) -> None:
        """Print what was left out."""
        if self.repeated:
            click.echo(f"{counted(self.repeated, 'run')} recorded in two places: counted once", err=True)

    def _is_known(self, report: RunReport) -> bool:
        key = (report.run, report.agent, report.started_at, report.ended_at, report.steps, report.spent.tokens)
        if key in self._seen:
            return True
        if report.started_at is not None and len(self._seen) < MAX_RUNS:
            self._seen.add(key)
        return False


def found_on_this_machine() -> tuple[str, ...]:
    """The folders in which the agents of this machine store recordings; prints them to standard error."""
    from headway.sources.encrypted import untold_in  # rarely needed, because a path is usually given
    from headway.sources.places import recordings_of_this_user

    places = recordings_of_this_user()
    if untold := untold_in(Path.home()):
        click.echo(untold, err=True)
    if not places:
        raise click.ClickException("no recordings of a known agent found in your home; name a file or a folder")
    by_program: dict[str, list[str]] = {}
    for place in places:
        by_program.setdefault(place.program, []).append(_in_home(place.path))
    click.echo("Found on this machine:", err=True)
    width = max(map(len, by_program))
    for program, paths in by_program.items():
        click.echo(f"  {program:<{width}}  {', '.join(map(plain, paths))}", err=True)
    return tuple(str(place.path) for place in places)


def _in_home(path: Path) -> str:
    try:
        return f"~/{path.relative_to(Path.home()).as_posix()}"
    except ValueError:
        return readable(path)


def complaint(why: str, content: bool = True) -> str:
    """A message about a recording, for a terminal."""
    return plain(message_without_secrets(why, content))


def followed(files: Iterable[ScannedFile], sources: Sequence[Source]) -> Iterator[ScannedFile]:
    """The files, with a progress bar in a terminal."""
    console = Console(stderr=True)
    size, alone = sum(source.size + 1 for source in sources) if console.is_terminal else 0, len(sources) == 1
    if not console.is_terminal or (alone and size < LARGE):
        yield from files
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn(compact=True))
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("reading", total=None if alone else size)
        for number, file in enumerate(files, 1):
            yield file
            progress.update(task, advance=file.size + 1, description=f"{number:,} of {len(sources):,} files")
