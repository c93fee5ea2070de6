"""Shared by the commands for stored loops: find a loop and a round, and explain if there is none."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click
import msgspec
from rich.console import Console

from headway.core.iteration import Iteration
from headway.loop.round_snapshots import NAME
from headway.reports.loop_json import LoopFormatError, loop_from_json
from headway.reports.text import plain
from headway.scoring.assessment import LoopReport
from headway.snapshots import (
    GitError,
    Repository,
    Snapshot,
    forget,
    list_snapshots,
    load,
    may_have_snapshots,
    take,
    text_at,
)
from headway.snapshots.names import ref_of
from headway.store.loop_files import LOOP, StorageError, loops, read_loop

ROOT = Path(".headway") / "loops"
LATEST = "last"

Command = TypeVar("Command", bound=Callable[..., Any])


class StoredLoop(msgspec.Struct, frozen=True):
    """A stored loop and its project."""

    report: LoopReport
    project: Path
    called: str
    """The name to use for it in commands."""

    @property
    def snapshots(self) -> str:
        """Where its snapshots are: those of its rounds, and those saved by rollbacks."""
        return f"loops/{self.report.loop_id}"


def with_root(command: Command) -> Command:
    """Add `--root DIR`."""
    return click.option(
        "--root",
        type=click.Path(path_type=Path),
        default=ROOT,
        show_default=True,
        help="Folder with the stored loops.",
    )(command)


def refusals_explained(command: Command) -> Command:
    """Exit with code 2 and a message if something cannot be found or read."""

    @wraps(command)
    def explained(*arguments: Any, **options: Any) -> Any:
        try:
            return command(*arguments, **options)
        except (StorageError, LoopFormatError, GitError, NotADirectoryError) as error:
            raise click.ClickException(str(error)) from error

    return cast(Command, explained)


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show in a terminal what is being done."""
    talk = Console(stderr=True)
    if not talk.is_terminal:
        yield
        return
    with talk.status(what):
        yield


def loop_folder(name: str, root: Path) -> Path:
    """The folder of a loop, given by its id, a prefix of it, `last`, or the folder itself."""
    known = loops(root) if root.is_dir() else []
    if name in known:
        return root / name
    if (Path(name) / LOOP).is_file() or "/" in name:
        return Path(name)
    if name == LATEST and known:
        return root / max(known, key=lambda loop: (root / loop / LOOP).stat().st_mtime_ns)
    fitting = [loop for loop in known if name and loop.startswith(name)]
    if len(fitting) == 1:
        return root / fitting[0]
    if fitting:
        raise StorageError(f"{name!r} matches several loops: {_list(fitting)}")
    if name and "/" not in name and (root / name).is_dir():
        raise StorageError(f"{root / name / LOOP} does not exist, so this is not a loop")
    there = f"the loops are: {_list(known)}" if known else "there are no loops here"
    raise StorageError(f"{root}: no loop {name!r}; {there}")


def read_report(folder: Path) -> LoopReport:
    """The report of a loop. Its id is part of the names of snapshots, so an invalid id is rejected here."""
    report = loop_from_json(read_loop(folder), str(folder / LOOP))
    try:
        ref_of(f"loops/{report.loop_id}")
    except ValueError as error:
        raise LoopFormatError(f"{folder / LOOP}: at `$.loop_id`: {error}") from error
    return report


def stored_loop(name: str, root: Path) -> StoredLoop:
    """A loop with its project: the parent of its `.headway` folder, or else the current folder."""
    try:
        folder = loop_folder(name, root)
        report = read_report(folder)
        return StoredLoop(report, _project(folder), report.loop_id if folder == ROOT / report.loop_id else str(folder))
    except (StorageError, LoopFormatError) as error:
        loop = StoredLoop(LoopReport(loop_id=name), _project(root / name), name)
        if not name or not _is_in_git(loop):
            raise
        click.echo(f"{error}; using the rounds that git has", err=True)
        return loop


def refuse_elsewhere(loop: StoredLoop) -> None:
    """Refuse a loop of another worktree: all worktrees share the rounds, but its files belong to one of them.

    A copy of the whole repository has its own rounds.
    """
    repository = Repository.at(loop.project)
    try:
        home = Path(text_at(repository, f"{loop.snapshots}/{NAME}"))
    except (KeyError, ValueError):
        return  # no loop uses the name
    other = Repository.at(home) if home.is_dir() else repository
    if other.root != repository.root and other.objects == repository.objects:
        raise StorageError(
            f"{loop.report.loop_id} belongs to {plain(str(home))}. Nothing was changed. Run the command there"
        )


def snapshot_of(loop: StoredLoop, name: str) -> Snapshot:
    """The files of a round (a number, `baseline` or `best`), or of a state that a rollback saved."""
    repository = Repository.at(loop.project)
    rounds = {one.iteration.snapshot for one in loop.report.rounds}
    kept = [one for one in list_snapshots(repository, loop.snapshots) if one.ref not in rounds]
    states = {one.ref.rpartition("/")[2]: one for one in kept}
    number = _number(name)
    state = states.get(name)
    if number is not None and number not in {one.iteration.number for one in loop.report.rounds}:
        state = state or states.get(f"round-{number:03d}")  # git may have a round that the report does not have
    if state is not None:
        return state
    one = _round(loop.report, name, states)
    if one.snapshot is None:
        raise StorageError(f"no snapshot was taken of round {one.number} of {loop.report.loop_id}")
    try:
        return load(repository, one.snapshot)
    except (KeyError, ValueError) as error:
        raise StorageError(
            f"the files of round {one.number} are lost: snapshot {plain(one.snapshot)} is missing in {loop.project}"
        ) from error


@contextmanager
def present_state(project: Path, like: Snapshot | None = None) -> Iterator[Snapshot]:
    """A temporary snapshot of the current files."""
    repository, name = Repository.at(project), f"now/{os.getpid()}"
    try:
        with working("reading the files"):
            snapshot = take(repository, name, "to compare with", like=like)
        yield snapshot
    finally:
        forget(repository, name)


def _round(loop: LoopReport, name: str, states: dict[str, Snapshot]) -> Iteration:
    rounds = {one.iteration.number: one.iteration for one in loop.rounds}
    number = _best(loop) if name == "best" else _number(name)
    if number is not None and number in rounds:
        return rounds[number]
    if name == "best" and loop.rounds:
        raise StorageError(f"{loop.loop_id} has no best round yet: no round has enough measurements")
    there = [*([f"rounds 0 to {max(rounds)}, baseline, best"] if rounds else []), *states] or ["no round yet"]
    raise StorageError(f"loop {loop.loop_id} has no round {name!r}; available: {_list(there)}")


def _number(name: str) -> int | None:
    """The number of a round, given as a number or as `baseline`."""
    if name == "baseline":
        return 0
    return int(name) if name.isdecimal() and len(name) < 10 else None


def _project(folder: Path) -> Path:
    above = folder.resolve().parents
    return above[2] if len(above) > 2 and above[1].name == ROOT.parts[0] else Path.cwd()


def _is_in_git(loop: StoredLoop) -> bool:
    """Whether git has snapshots of a loop whose own files are lost. Nothing is created."""
    if not may_have_snapshots(loop.project):
        return False
    try:
        return bool(list_snapshots(loop.project, loop.snapshots))
    except (GitError, ValueError):  # not a valid loop name
        return False


def _best(loop: LoopReport) -> int | None:
    """The selected round, or the best so far."""
    if loop.selection is not None:
        return loop.selection.selected_iteration
    return loop.rounds[-1].best_iteration if loop.rounds else None


def _list(names: list[str]) -> str:
    return ", ".join(map(plain, names))
