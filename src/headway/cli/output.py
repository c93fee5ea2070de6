"""Where a command's output goes: standard output, or a file that appears only when it is whole.

Whoever reads standard output may have seen enough (`headway detectors | head -1`). A command that only tells something
then ends, as if it had told everything; one that does something goes on with it, unheard.
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
    """A console that leaves it to the command what it means when nobody reads on."""

    def on_broken_pipe(self) -> NoReturn:
        """The reader of our output has seen enough."""
        raise BrokenPipeError


def width_of(out: TextIO) -> int | None:
    """Where to break lines: at the edge of a terminal, and never in a file or a pipe, unless COLUMNS says so."""
    return None if out.isatty() or "COLUMNS" in os.environ else _UNBROKEN


@contextmanager
def opened(path: Path | None) -> Iterator[TextIO]:
    """A place to write to. A file is written beside its place and moved there at the end."""
    try:
        if path is None or path == Path("-"):
            yield sys.stdout
            sys.stdout.flush()
        elif path.exists() and not path.is_file():  # a device or a pipe cannot be moved to
            with path.open("w", encoding="utf-8") as file:
                yield file
        else:
            with _beside(path) as file:
                yield file
    except BrokenPipeError:
        raise BrokenPipeError from None  # without its number: click would take that for a fault and end with 1
    except OSError as error:
        where = path or "standard output"
        raise click.ClickException(f"{where}: cannot be written: {error.strerror or error}") from error


@contextmanager
def _beside(path: Path) -> Iterator[TextIO]:
    path = path.resolve()  # a link stays one
    unfinished = path.with_name(f".{os.urandom(8).hex()}.unfinished")
    try:
        with unfinished.open("x", encoding="utf-8") as file:
            if path.exists():
                shutil.copymode(path, unfinished)  # what was private stays private
            yield file
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def write(path: Path | None, parts: Iterable[str]) -> None:
    """Write a report piece by piece."""
    with opened(path) as out:
        for part in parts:
            out.write(part)


def tell(text: str) -> None:
    """Say what is being done; whether somebody reads it makes no difference to that."""
    try:
        click.echo(text)
    except BrokenPipeError:
        discard_output()


def discard_output() -> None:
    """Let standard output lead nowhere: what is still in its buffer would fail once more when Python ends."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
