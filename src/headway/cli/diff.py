"""`headway diff`: what changed between two rounds of a loop."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import click

from headway.cli.stored_loop import (
    StoredLoop,
    present_state,
    refusals_explained,
    snapshot_of,
    stored_loop,
    with_root,
)
from headway.reports.text import plain
from headway.reports.words import counted
from headway.snapshots import FileChange, Snapshot, changes, patch
from headway.store.loop_files import StorageError

NOW = "now"
COLOURS = {b"+": "green", b"-": "red", b"@": "cyan"}
HEADINGS = (b"diff --git ", b"--- ", b"+++ ")
LETTERS = {"added": "A", "modified": "M", "deleted": "D", "renamed": "R"}


@click.command()
@click.argument("loop")
@click.argument("one", metavar="A")
@click.argument("other", metavar="B")
@click.option("--stat", is_flag=True, help="Show only the changed files and their line counts.")
@with_root
@refusals_explained
def command(loop: str, one: str, other: str, stat: bool, root: Path) -> None:
    """Show what changed from A to B, committed or not, including nested repositories.

    LOOP is the id of a loop, a prefix of it, or `last`. A and B are round numbers, `baseline`, `best`, `now` (the
    current files), or a state that `headway rollback` saved. In a pipe, the output is a patch for `git apply`.

    \b
      headway diff last baseline best          what the loop changed
      headway diff last 3 now --stat           files that differ from round 3
      headway diff fix-login 2 3 > round-3.patch
    """
    stored = stored_loop(loop, root)
    with ExitStack() as stack:
        before, after = (stack.enter_context(_state(stored, name)) for name in (one, other))
        if before.tree == after.tree:
            click.echo(f"no difference between {one} and {other}", err=True)
        elif stat:
            _show_numbers(before, after)
        else:
            _show_patch(before, after)


def _baseline(loop: StoredLoop) -> Snapshot | None:
    """The snapshot that decides which of the current files belong to the project."""
    try:
        return snapshot_of(loop, "baseline")
    except StorageError:
        return None


@contextmanager
def _state(loop: StoredLoop, name: str) -> Iterator[Snapshot]:
    if name == NOW:
        with present_state(loop.project, like=_baseline(loop)) as snapshot:
            yield snapshot
    else:
        yield snapshot_of(loop, name)


def _show_patch(before: Snapshot, after: Snapshot) -> None:
    """Print a patch: unchanged into a pipe; coloured and without control characters to a terminal."""
    at_terminal = sys.stdout.isatty()
    with closing(patch(before, after)) as lines:
        for line in lines:
            if at_terminal:
                click.secho(_harmless(line), fg=COLOURS.get(line[:1]), bold=line.startswith(HEADINGS))
            else:
                sys.stdout.buffer.write(line)
        sys.stdout.flush()


def _harmless(line: bytes) -> str:
    text = line.decode("utf-8", "backslashreplace").rstrip("\n").expandtabs()
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)


def _show_numbers(before: Snapshot, after: Snapshot) -> None:
    found = changes(before, after)
    for file in found.files:
        click.echo(described(file))
    click.echo(f"{counted(len(found.files), 'file')}, +{found.insertions} -{found.deletions}")


def described(file: FileChange) -> str:
    """One changed file on one line."""
    moved = f"{plain(file.old_path)} -> " if file.old_path is not None else ""
    lines = "binary" if file.binary else f"+{file.insertions} -{file.deletions}"
    return f"{LETTERS[file.status]}  {lines:>12}  {moved}{plain(file.path)}"
