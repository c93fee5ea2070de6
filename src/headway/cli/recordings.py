"""The recordings that were named on the command line."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from headway.core.run_report import ScannedFile
from headway.readers import recordings_in
from headway.reports.text import plain
from headway.rolling.secrets import mask
from headway.sources import Source, readable
from headway.sources.places import recordings_of_this_user
from headway.study.pool import size_of

LARGE = 5_000_000
"""Bytes of a single file whose reading is felt."""


def sources_of(path: str) -> Iterator[Source]:
    """The recordings at a path: a file, all files of a folder, or standard input for -."""
    if path == "-":
        yield Source.stdin()
        return
    try:
        Path(path).stat()
        yield from recordings_in(Path(path))
    except FileNotFoundError:
        raise click.ClickException(f"{readable(Path(path))}: no such file or folder") from None
    except OSError as error:
        raise click.ClickException(f"{readable(Path(path))}: {error.strerror or error}") from error


def found_on_this_machine() -> tuple[str, ...]:
    """Where the agents of this machine keep their recordings; says so on standard error."""
    places = recordings_of_this_user()
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
    """A message about a recording. Without content only its beginning, because the rest may quote the recording."""
    return plain(mask(why if content else ": ".join(why.split(": ", 2)[:2]).split(" (")[0]))


def followed(files: Iterable[ScannedFile], sources: Sequence[Source]) -> Iterator[ScannedFile]:
    """The same files, with a progress bar while they come in, if a person is watching."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn(compact=True))
    size, alone = sum(size_of(source) + 1 for source in sources), len(sources) == 1
    hidden = not console.is_terminal or (alone and size < LARGE)
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task("reading", total=None if alone else size)
        for number, file in enumerate(files, 1):
            yield file
            progress.update(task, advance=file.size + 1, description=f"{number:,} of {len(sources):,} files")
