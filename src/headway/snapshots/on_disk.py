"""Looks up what is at a path, without following symbolic links."""

import errno
import os
import stat
from collections.abc import Iterable

NOTHING_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
"""Errors for a path that does not exist. ELOOP: a folder above it is now a symbolic link to itself."""


class RealFolders:
    """Checks whether a path can be reached from a root without passing through a symbolic link."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._known = {"": True}

    def lead_to(self, path: str) -> bool:
        """Check that all folders above the path are real folders."""
        return self._is_real(path.rpartition("/")[0])

    def _is_real(self, folder: str) -> bool:
        if folder not in self._known:
            mode = mode_of(f"{self._root}/{folder}")
            self._known[folder] = self._is_real(folder.rpartition("/")[0]) and stat.S_ISDIR(mode)
        return self._known[folder]


def mode_of(path: str) -> int:
    """The type and permissions of a path, without following a link; 0 if nothing is there."""
    found = _look(path)
    return found.st_mode if found else 0


def _look(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except OSError as error:
        if error.errno in NOTHING_THERE:
            return None
        raise


def present(root: str, paths: Iterable[str]) -> dict[str, os.stat_result]:
    """The paths that are a regular file or a symbolic link now, each with its stat result."""
    folders = RealFolders(root)
    found = ((path, _look(f"{root}/{path}")) for path in paths if folders.lead_to(path))
    return {path: one for path, one in found if one and (stat.S_ISREG(one.st_mode) or stat.S_ISLNK(one.st_mode))}
