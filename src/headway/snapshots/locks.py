"""File locks that the system releases when their process ends, even if it is killed. Not available on Windows."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform != "win32":
    import fcntl


@contextmanager
def exclusive_lock(folder: Path) -> Iterator[None]:
    """Hold the exclusive lock of a folder; waits for it."""
    descriptor = _locked(folder, wait=True)
    try:
        yield
    finally:
        _release(descriptor)


@contextmanager
def in_use(folder: Path) -> Iterator[None]:
    """Mark a folder as in use by this process until the block ends."""
    descriptor = _locked(folder, wait=False)
    try:
        yield
    finally:
        _release(descriptor)


def is_abandoned(folder: Path) -> bool:
    """Check that a folder exists and that no living process uses it. Always False on Windows."""
    if sys.platform == "win32":
        return False
    descriptor = _locked(folder, wait=False)
    _release(descriptor)
    return descriptor is not None


def _locked(folder: Path, *, wait: bool) -> int | None:
    if sys.platform == "win32":
        return None
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _release(descriptor: int | None) -> None:
    if descriptor is not None:
        os.close(descriptor)
