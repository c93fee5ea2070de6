"""Allows one loop at a time in a project: two would mistake each other's changes for their own.

The lock file is in the git directory, which `git clean -fdx` does not touch; without git, it is in `.headway`.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from headway.snapshots import Repository
from headway.store.loop_files import StorageError

if sys.platform != "win32":
    import fcntl


class LockedError(StorageError):
    """Another loop is running in this project; the message names it."""


@contextmanager
def project_lock(project: Repository | Path, loop_id: str) -> Iterator[Callable[[str], None]]:
    """Hold the project's lock. The system releases it when the process ends, so none is ever left behind.

    Yields a function that changes the name of the holder.
    """
    root, path = project if isinstance(project, Path) else project.root, _place(project)
    try:
        make_own_folder(root)
        ours = path.open("a+")
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}; expected a place that can be written") from error
    with ours:

        def name_holder(name: str) -> None:
            ours.truncate(0)
            ours.write(f"{name} (process {os.getpid()})\n")
            ours.flush()

        if sys.platform != "win32":  # Windows has no such lock
            _take(ours.fileno(), path, root)
        name_holder(loop_id)
        yield name_holder


def loop_at_work(project: Repository | Path) -> str:
    """The name of the loop that is running in a project; empty if there is none."""
    path = _place(project)
    if sys.platform == "win32" or not path.is_file():
        return ""
    with path.open("r") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return file.read().partition(" ")[0]
    return ""


def make_own_folder(root: Path) -> None:
    """Create the folder for Headway's own files, with a rule that hides it from the user's `git status`."""
    ignore = root / ".headway" / ".gitignore"
    ignore.parent.mkdir(parents=True, exist_ok=True)
    if not ignore.exists():
        ignore.write_text("*\n")


def _place(project: Repository | Path) -> Path:
    return (project / ".headway" if isinstance(project, Path) else project.room) / "loop.lock"


def _take(file: int, path: Path, root: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        holder = path.read_text(errors="replace").strip() or "unknown"
        raise LockedError(
            f"another loop is running in {root}: {holder}. Wait for it, or end it with Ctrl-C; "
            "a second loop can run in another git worktree"
        ) from error
