"""Creates a scratch folder for each piece of work, and cleans up after killed processes."""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from headway.snapshots.files import scratch_path
from headway.snapshots.git import joined, paths_in
from headway.snapshots.locks import exclusive_lock, in_use, is_abandoned
from headway.snapshots.repository import Repository

SCRATCH = "scratch-"
WRITING = "writing"
"""A list of the project files that are being written. Each may have a partial scratch file beside it."""


@contextmanager
def scratch_folder(repository: Repository) -> Iterator[Path]:
    """A folder for this process, removed when the block ends."""
    with ExitStack() as stack:
        with exclusive_lock(repository.room):  # so that no other process removes the folder before it is claimed
            _sweep(repository)
            scratch = Path(stack.enter_context(TemporaryDirectory(prefix=SCRATCH, dir=repository.room)))
            stack.enter_context(in_use(scratch))
        yield scratch


@contextmanager
def writing(repository: Repository, paths: Iterable[str]) -> Iterator[None]:
    """Record which project files are being written. If this process is killed, the next one removes partial files."""
    with scratch_folder(repository) as scratch:
        (scratch / WRITING).write_bytes(joined(paths))
        yield


def _sweep(repository: Repository) -> None:
    """Remove what killed processes left behind."""
    for scratch in repository.room.glob(SCRATCH + "*"):
        if is_abandoned(scratch):
            with suppress(OSError):  # the list rarely exists, and cleaning up must not fail
                for path in paths_in((scratch / WRITING).read_bytes()):
                    scratch_path(repository.root / path).unlink(missing_ok=True)
            shutil.rmtree(scratch, ignore_errors=True)
