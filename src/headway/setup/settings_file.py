"""Reads a settings file, if it is a regular file of a reasonable size.

A project may have anything at that path. Reading a pipe would never end, and replacing a device would break the
machine, so the type is checked before and after opening.
"""

import os
import stat
from pathlib import Path

LARGEST = 1_000_000
"""Maximum size in bytes of a settings file to edit. Parsing a larger one with its comments would take many seconds."""
_KINDS = (
    (stat.S_ISDIR, "Is a directory"),
    (stat.S_ISFIFO, "It is a pipe"),
    (stat.S_ISSOCK, "It is a socket"),
    (stat.S_ISLNK, "It is a link"),
    (lambda mode: not stat.S_ISREG(mode), "It is a device"),
)


class SetupError(Exception):
    """Something cannot be installed or removed; the message names the file and the fix."""


def read_settings(path: Path, *, follow: bool = True) -> bytes | None:
    """The content of a file; None if it does not exist. By default links are followed, as many users have them."""
    try:
        _check_kind(path, path.stat(follow_symlinks=follow).st_mode)  # opening a device may already have an effect
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        descriptor = os.open(path, flags | (0 if follow else getattr(os, "O_NOFOLLOW", 0)))
        with open(descriptor, "rb") as file:  # noqa: PTH123 (the descriptor is what was looked at)
            _check_kind(path, os.fstat(descriptor).st_mode)
            content = file.read(LARGEST + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SetupError(f"{path}: {error.strerror}; expected a settings file or nothing") from error
    if len(content) > LARGEST:
        raise SetupError(f"{path}: larger than {LARGEST:,} bytes; Headway does not edit settings files of that size")
    return content


def read_text(path: Path) -> str:
    """The text of a settings file, without a byte order mark; empty if there is no file."""
    return (read_settings(path) or b"").decode("utf-8-sig", "replace")


def check_place(path: Path, project: Path | None) -> None:
    """Refuse a project's settings file that is a link to a file outside of the project."""
    if project is None:
        return
    try:
        real = path.resolve()
    except (OSError, RuntimeError) as error:  # a link to itself is an OSError since Python 3.13
        raise SetupError(f"{path}: the link points to itself; remove it and try again") from error
    if not real.is_relative_to(project.resolve()):
        raise SetupError(f"{path}: the link points outside the project, to {real}; Headway does not edit that file")


def _check_kind(path: Path, mode: int) -> None:
    for is_kind, told in _KINDS:
        if is_kind(mode):
            raise SetupError(f"{path}: {told}; expected a settings file or nothing")
