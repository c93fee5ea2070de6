"""Scratch folders in our room, one for each piece of work, and clearing away after work that was killed."""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from headway.snapshots.files import beside
from headway.snapshots.git import joined, paths_in
from headway.snapshots.locks import abandoned, alone, claimed
from headway.snapshots.repository import Repository

SCRATCH = "scratch-"
WRITING = "writing"
"""Lists the project's files that are being written, each of which may have a half-written one beside it."""


@contextmanager
def scratch_folder(repository: Repository) -> Iterator[Path]:
    """A folder that is ours until the block ends, or until this process does."""
    with ExitStack() as stack:
        with alone(repository.room):  # so that no other process removes a folder that is not claimed yet
            _sweep(repository)
            scratch = Path(stack.enter_context(TemporaryDirectory(prefix=SCRATCH, dir=repository.room)))
            stack.enter_context(claimed(scratch))
        yield scratch


@contextmanager
def writing(repository: Repository, paths: Iterable[str]) -> Iterator[None]:
    """Record which project files are being written. If this process is killed, the next one removes partial files."""
    with scratch_folder(repository) as scratch:
        (scratch / WRITING).write_bytes(joined(paths))
        yield


def _sweep(repository: Repository) -> None:
    """Remove what killed processes left."""
    for scratch in repository.room.glob(SCRATCH + "*"):
        if abandoned(scratch):
            with suppress(OSError):  # hardly ever there, and not worth failing for
                for path in paths_in((scratch / WRITING).read_bytes()):
                    beside(repository.root / path).unlink(missing_ok=True)
            shutil.rmtree(scratch, ignore_errors=True)
