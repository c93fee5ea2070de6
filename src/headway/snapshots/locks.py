"""Locks that the system lets go of by itself, also when a process is killed. Windows has none of the kind here."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform != "win32":
    import fcntl


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the exclusive lock of a folder, waiting for it if necessary."""
    descriptor = _locked(folder, wait=True)
    try:
        yield
    finally:
        _let_go(descriptor)


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Mark a folder as in use by a living process."""
    descriptor = _locked(folder, wait=False)
    try:
        yield
    finally:
        _let_go(descriptor)


def abandoned(folder: Path) -> bool:
    """Is there a folder that was claimed by a process which is no more?"""
    if sys.platform == "win32":
        return False
    descriptor = _locked(folder, wait=False)
    _let_go(descriptor)
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


def _let_go(descriptor: int | None) -> None:
    if descriptor is not None:
        os.close(descriptor)
