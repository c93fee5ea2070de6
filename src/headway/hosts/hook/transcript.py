"""Reads what was added to a program's transcript. Its path comes from the program's event, and is not trusted.

Only a regular file is read, never through a link, and never more than `MAX_BYTES` at one event.
"""

import os
import stat

MAX_BYTES = 1_000_000
"""Maximum number of bytes to read at one event. What is left is read at the next ones."""
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Links are not followed, and a pipe is not waited for."""


def size_of(path: str) -> int:
    """The size of a transcript, 0 if there is none."""
    try:
        about = os.lstat(path)
    except (OSError, ValueError):
        return 0
    return about.st_size if stat.S_ISREG(about.st_mode) else 0


def new_lines(path: str, start: int, most: int, until: int | None = None) -> tuple[list[bytes], int, int]:
    """The whole lines of a transcript from a byte on, where they end, and how many bytes were read."""
    try:
        raw, size = _part_of(path, start, most, until)
    except (OSError, ValueError):
        return [], start, 0
    if size < start:  # replaced by a shorter file: what it has now may have been counted before
        return [], size, 0
    whole = raw.rfind(b"\n") + 1
    if not whole and len(raw) == most == MAX_BYTES:
        return [], start + len(raw), len(raw)  # a longer line is skipped
    return raw[:whole].splitlines(), start + whole, len(raw)


def _part_of(path: str, start: int, most: int, until: int | None) -> tuple[bytes, int]:
    """A part of a regular file, and the size of the file."""
    file = os.open(path, _FLAGS)
    try:
        about = os.fstat(file)
        if not stat.S_ISREG(about.st_mode):
            raise OSError("not a regular file")
        end = about.st_size if until is None else min(until, about.st_size)
        os.lseek(file, start, os.SEEK_SET)
        return (os.read(file, max(0, min(most, end - start))) if end > start else b""), about.st_size
    finally:
        os.close(file)
