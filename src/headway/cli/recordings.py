"""The recordings that were named on the command line."""

from collections.abc import Iterator
from pathlib import Path

import click

from headway.readers import recordings_in
from headway.reports.text import plain
from headway.rolling.secrets import mask
from headway.sources import Source, readable


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


def complaint(why: str, content: bool = True) -> str:
    """A message about a recording. Without content only its beginning, because the rest may quote the recording."""
    return plain(mask(why if content else ": ".join(why.split(": ", 2)[:2]).split(" (")[0]))
