"""A tree of one part's files, hashed through an index of our own that remembers what it hashed before.

The remembered index is copied, worked on and put back whole, so two processes never write the same file, a killed one
leaves it as it was, and there is no lock that could stay behind. Whoever finishes last is remembered.
"""

import hashlib
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from headway.snapshots.git import Git, GitError, joined
from headway.snapshots.parts import Part, present
from headway.snapshots.repository import Repository

SCRATCH = "scratch-"
STALE_AFTER = 86_400.0
"""Seconds after which a scratch folder is taken for the remains of a killed process."""


def tree_of(repository: Repository, part: Part) -> tuple[str, int]:
    """The id of a tree with exactly the part's files, and how many they are."""
    with _scratch_index(repository, part.folder) as index:
        git = repository.hashing(part.folder, index)
        try:
            return _hash_into(git, part)
        except GitError:
            # The remembered index may be damaged, or name objects that a `git gc` has dropped since.
            index.unlink(missing_ok=True)
            return _hash_into(git, part)


def _hash_into(git: Git, part: Part) -> tuple[str, int]:
    """Bring the index to the part's files; those it knows and git finds unchanged are not even looked at again."""
    known, listed = set(git.fields("ls-files", "-z")), set(part.files)
    changed = set(git.fields("diff-files", "-z", "--name-only", "--no-renames")) if known else set()
    unchanged = (known & listed) - changed
    fresh = present(str(git.folder), listed - unchanged)
    gone = known - unchanged - set(fresh)
    if gone:
        git.run("update-index", "-z", "--force-remove", "--stdin", given=joined(gone))
    if fresh:  # `--remove`: a file that vanishes while we look is gone, not an error
        git.run("update-index", "-z", "--add", "--remove", "--replace", "--stdin", given=joined(fresh))
    return git.text("write-tree"), len(unchanged) + len(fresh)


@contextmanager
def _scratch_index(repository: Repository, folder: str) -> Iterator[Path]:
    remembered = _remembered(repository, folder)
    _sweep(repository.room)
    with TemporaryDirectory(prefix=SCRATCH, dir=repository.room) as scratch:
        index = Path(scratch) / "index"
        with suppress(FileNotFoundError):
            _copy(remembered, index)
        yield index
        with suppress(FileNotFoundError):  # a part without files has no index
            index.replace(remembered)


def _remembered(repository: Repository, folder: str) -> Path:
    if not folder:
        return repository.room / "index"
    digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    return repository.room / f"index-{digest}"


def _copy(source: Path, target: Path) -> None:
    """Copy an index with its time, which git needs to tell which entries may have changed in the same instant."""
    with source.open("rb") as old, target.open("wb") as new:
        written = os.fstat(old.fileno())  # of the file we read, not of one that replaced it since
        shutil.copyfileobj(old, new)
    os.utime(target, ns=(written.st_atime_ns, written.st_mtime_ns))


def _sweep(room: Path) -> None:
    for scratch in room.glob(SCRATCH + "*"):
        with suppress(OSError):  # another process may sweep as well
            if time.time() - scratch.stat().st_mtime > STALE_AFTER:
                shutil.rmtree(scratch)
