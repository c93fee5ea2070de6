"""The recordings that were named on the command line."""

from collections.abc import Iterator
from pathlib import Path

import click

from headway.readers import recordings_in
from headway.reports.text import plain
from headway.rolling.secrets import mask
from headway.sources import Source


def sources_of(path: str) -> Iterator[Source]:
    """What is at a path: a file, everything in a folder, or standard input for -."""
    if path == "-":
        yield Source.stdin()
    elif Path(path).exists():
        yield from recordings_in(Path(path))
    else:
        raise click.ClickException(f"{path}: there is no such file or folder")


def complaint(why: str, content: bool) -> str:
    """What is wrong with a recording; without content, only the beginning: the rest may quote the recording."""
    return plain(mask(why if content else ": ".join(why.split(": ", 2)[:2]).split(" (")[0]))
