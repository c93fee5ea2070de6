"""Lists the changes between two snapshots. Each changed line is counted once.

Trees are compared, so it does not matter whether a change is staged, unstaged, untracked or already committed.
"""

from collections.abc import Generator, Iterator
from enum import StrEnum

import msgspec

from headway.snapshots.git import GitError
from headway.snapshots.names import readable
from headway.snapshots.repository import Repository
from headway.snapshots.snapshot import Snapshot

RENAME_LIMIT = 1000
"""With more candidates than this, only files that moved unchanged are paired: comparing all pairs is quadratic."""

PLAIN = (f"-l{RENAME_LIMIT}", "--no-ext-diff", "--no-textconv", "--no-color", "--full-index")
"""Options for machine-readable output that run none of the user's programs."""
OPTIONS = ("-r", "-z", "--raw", "--numstat", "-M", "--no-abbrev", *PLAIN)


class Status(StrEnum):
    """What happened to a file."""

    ADDED = "added"
    MODIFIED = "modified"
    DELETED = "deleted"
    RENAMED = "renamed"


_STATUS = {"A": Status.ADDED, "D": Status.DELETED, "R": Status.RENAMED}


class FileChange(msgspec.Struct, frozen=True):
    """A file whose content, type or executable bit changed."""

    path: str
    status: Status
    insertions: int = 0
    deletions: int = 0
    binary: bool = False
    old_path: str | None = None
    """The path before a rename."""
    content: str = ""
    """An id of the content after the change, equal for equal content; empty for a deleted file."""


class Changes(msgspec.Struct, frozen=True):
    """All changes between two snapshots."""

    insertions: int = 0
    deletions: int = 0
    files: tuple[FileChange, ...] = ()

    @property
    def lines(self) -> int:
        """Lines inserted plus lines deleted, for the progress score. Binary files have none."""
        return self.insertions + self.deletions


def changes(before: Snapshot, after: Snapshot, repository: Repository | None = None) -> Changes:
    """The changes between two snapshots of a project. Without `repository`, it is looked up."""
    if before.folder != after.folder:
        raise ValueError(f"{before.ref} is of {before.folder} and {after.ref} of {after.folder}: not comparable")
    if before.tree == after.tree:
        return Changes()
    store = (repository or Repository.at(after.folder)).store
    files = tuple(_read(iter(store.fields("diff-tree", *OPTIONS, before.tree, after.tree))))
    return Changes(sum(file.insertions for file in files), sum(file.deletions for file in files), files)


def patch(before: Snapshot, after: Snapshot, repository: Repository | None = None) -> Generator[bytes, None, None]:
    """A unified diff between two snapshots of a project, line by line, in the format of `git apply`."""
    store = (repository or Repository.at(after.folder)).store
    with store.start("diff-tree", "-r", "-p", "-M", *PLAIN, before.tree, after.tree) as process:
        assert process.stdout is not None  # noqa: S101 (opened as a pipe; this tells mypy)
        yield from process.stdout
    if process.returncode:
        raise GitError("diff-tree", after.folder, f"{before.ref} and {after.ref} could not be compared")


def _read(fields: Iterator[str]) -> Iterator[FileChange]:
    """Parse git's output: first the status of every file, then the line counts of every file, in the same order."""
    statuses: dict[str, tuple[Status, str]] = {}
    for field in fields:
        if field.startswith(":"):
            _, _, _, content, letter = field.split()
            path = next(fields)
            status = _STATUS.get(letter[0], Status.MODIFIED)
            statuses[next(fields) if status is Status.RENAMED else path] = (
                status,
                "" if status is Status.DELETED else content,
            )
        else:
            yield _numbers(field, fields, statuses)


def _numbers(field: str, fields: Iterator[str], statuses: dict[str, tuple[Status, str]]) -> FileChange:
    inserted, deleted, path = field.split("\t", 2)
    old = next(fields) if not path else None  # a rename: both paths follow as fields of their own
    path = path or next(fields)
    binary = inserted == "-"
    counts = (0, 0) if binary else (int(inserted), int(deleted))
    status, content = statuses[path]
    return FileChange(
        readable(path),
        status,
        *counts,
        binary=binary,
        old_path=None if old is None else readable(old),
        content=content,
    )
