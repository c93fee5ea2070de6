"""Creates a temporary folder for the reports of one measurement, and removes those that killed processes left.

The measuring process holds a lock on its folder, which the system releases when it ends. So a folder in use is never
removed, however long a test suite runs.
"""

import os
import shutil
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

if sys.platform != "win32":
    import fcntl

PREFIX = "headway-probe-"
REMOVE_AFTER_SECONDS = 86_400.0


@contextmanager
def folder_for_reports() -> Iterator[Path]:
    """A new temporary folder, removed afterwards."""
    with TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as made:
        if sys.platform == "win32":  # Windows has no such lock
            yield Path(made).resolve()
            return
        held = os.open(made, os.O_RDONLY)
        try:
            fcntl.flock(held, fcntl.LOCK_EX)
            _sweep(Path(gettempdir()))
            yield Path(made).resolve()
        finally:
            os.close(held)


def _sweep(place: Path) -> None:
    """Remove folders that were left behind."""
    for left in place.glob(f"{PREFIX}*"):
        with suppress(OSError):
            if _is_old(left.lstat()) and _is_left(left):
                shutil.rmtree(left, ignore_errors=True)


def _is_old(about: os.stat_result) -> bool:
    """Whether it is a folder of this user that has not changed for a day: a new one may not be locked yet."""
    ours = stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid()
    return ours and about.st_mtime < time.time() - REMOVE_AFTER_SECONDS


def _is_left(folder: Path) -> bool:
    """Whether the folder is not locked."""
    file = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(file)
    return True
