"""The recordings that were named on the command line."""

from collections.abc import Iterator
from pathlib import Path

import click

from headway.readers import recordings_in
from headway.sources import Source


def sources_of(path: str) -> Iterator[Source]:
    """What is at a path: a file, everything in a folder, or standard input for -."""
    if path == "-":
        yield Source.stdin()
    elif Path(path).exists():
        yield from recordings_in(Path(path))
    else:
        raise click.ClickException(f"{path}: there is no such file or folder")
