"""Writes the output of a command to standard output, or to a file that appears only when it is complete.

Standard output may be closed early (`headway detectors | head -1`). A command that only prints something then ends
normally; a command that does something continues without output.
"""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn, TextIO

import click
from rich.console import Console

_UNBROKEN = 100_000


class Terminal(Console):
    """A console that lets the command decide what happens when its output is closed."""

    def on_broken_pipe(self) -> NoReturn:
        """Raise, so that the command decides."""
        raise BrokenPipeError


def width_of(out: TextIO) -> int | None:
    """The width for line breaks: that of the terminal; none for a file or a pipe, unless COLUMNS is set."""
    return None if out.isatty() or "COLUMNS" in os.environ else _UNBROKEN


@contextmanager
def opened(path: Path | None) -> Iterator[TextIO]:
    """A stream to write to. A file is written under a temporary name and renamed at the end."""
    try:
        if path is None or path == Path("-"):
            yield sys.stdout
            sys.stdout.flush()
        elif path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
            with path.open("w", encoding="utf-8") as file:
                yield file
        else:
            with _beside(path) as file:
                yield file
    except BrokenPipeError:
        raise BrokenPipeError from None  # without its errno, which would make click exit with 1
    except OSError as error:
        where = path or "standard output"
        raise click.ClickException(f"{where}: cannot be written: {error.strerror or error}") from error


@contextmanager
def _beside(path: Path) -> Iterator[TextIO]:
    path = path.resolve()  # keep a link
    unfinished = path.with_name(f".{os.urandom(8).hex()}.unfinished")
    try:
        with unfinished.open("x", encoding="utf-8") as file:
            if path.exists():
                shutil.copymode(path, unfinished)  # keep the permissions
            yield file
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def write(path: Path | None, parts: Iterable[str]) -> None:
    """Write a report in parts."""
    with opened(path) as out:
        for part in parts:
            out.write(part)


def tell(text: str) -> None:
    """Print a message; a closed output is ignored."""
    try:
        click.echo(text)
    except BrokenPipeError:
        discard_output()


def discard_output() -> None:
    """Redirect standard output to nowhere, because flushing its buffer at exit would fail again."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
