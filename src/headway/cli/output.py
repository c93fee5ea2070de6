"""Where a command's output goes: standard output, or a file that appears only when it is whole."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import TextIO

import click


@contextmanager
def opened(path: Path | None) -> Iterator[TextIO]:
    """A place to write to. A file is written beside its place and moved there at the end."""
    if path is None or path == Path("-"):
        yield sys.stdout
        return
    if path.exists() and not path.is_file():  # a device or a pipe cannot be moved to
        with path.open("w", encoding="utf-8") as file:
            yield file
        return
    unfinished = path.with_name(f".{path.name}.{token_hex(4)}")
    try:
        with unfinished.open("x", encoding="utf-8") as file:
            yield file
        unfinished.replace(path)
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        unfinished.unlink(missing_ok=True)


def write(path: Path | None, parts: Iterable[str]) -> None:
    """Write a report piece by piece."""
    with opened(path) as out:
        for part in parts:
            out.write(part)
