"""Checks whether git would list the same files again, without reading any folder.

Creating, removing or renaming a file changes the modification time of its folder. While no folder has a new time, the
list of files is the same. Ignored folders are not listed, so their times do not matter.

Two kinds of time prove nothing: a very recent one, because a later change could have the same time, and one from a file
system that does not update it. Git then has to list the files. It also does so if a repository is nested in the
project.
"""

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from headway.snapshots.names import OWN_FOLDER
from headway.snapshots.repository import Repository
from headway.snapshots.scratch import scratch_folder

Stamp = tuple[int, int, int, int]
"""Device, inode, mtime and ctime of a folder. Programs can set mtime, but not ctime."""
NOTHING = (0, 0, 0, 0)
YOUNG = 2 * 10**9
"""Nanoseconds. The coarsest file systems have a resolution of two seconds."""
MOST = 10_000
"""Maximum number of folders to check. With more folders, git is about as fast."""
GIT_FOLDER = ".git"


class Folders:
    """The folders in which git looks for files, and `others`: further files that the listing depends on."""

    def __init__(self, repository: Repository, known: Iterable[str], others: Iterable[Path]) -> None:
        self._root, self._room = str(repository.root), repository.room
        self._device = repository.root.stat().st_dev
        self._noted: dict[str, Stamp | None] = dict.fromkeys([self._root, *(f"{self._root}/{name}" for name in known)])
        self._looked: dict[str, Stamp] = {}
        self._since = 0
        self._others = {str(place) for place in others}
        self._ignored: set[str] = set()
        self._can_tell = len(self._noted) <= MOST and self._room.stat().st_dev == self._device
        self._can_tell = self._can_tell and _keeps_times(repository)

    def are_unchanged(self) -> bool:
        """Check that no folder is gone, changed or new since `note`."""
        if not self._can_tell or not self._room.is_dir():
            return False
        os.utime(self._room)  # reads the file system's clock, which may be another computer's
        self._since = self._room.stat().st_mtime_ns - YOUNG
        self._looked = {place: _stamp(place) for place in {*self._noted, *self._others}}
        return self._looked == self._noted

    def note(self, ignored_below: Callable[[list[str]], Iterable[str]]) -> None:
        """Record the folders as they were at the latest check. Git has listed the files since then.

        New folders count from the next check on, unless they are ignored.
        """
        if not self._can_tell:
            return
        changed = [place for place, stamp in self._looked.items() if stamp != self._noted.get(place)]
        is_there = {place for place, stamp in self._looked.items() if stamp != NOTHING or place in self._others}
        self._noted = {place: self._if_old(self._looked[place]) for place in is_there}
        new = [inner for place in changed if place not in self._others for inner in self._inside(place)]
        if new:
            names = [os.path.relpath(place, self._root) for place in new]
            self._ignored |= {f"{self._root}/{name}" for name in ignored_below(names)}
        while new and self._can_tell:
            place = new.pop()
            if place not in self._ignored:
                self._noted[place] = None
                new += self._inside(place)
            self._can_tell = self._can_tell and len(self._noted) <= MOST

    def _if_old(self, stamp: Stamp) -> Stamp | None:
        if stamp != NOTHING and stamp[0] != self._device:
            self._can_tell = False  # another file system, which was not tested
        return stamp if stamp[-1] < self._since else None

    def _inside(self, folder: str) -> list[str]:
        """The subfolders of a folder that are not known yet."""
        try:
            with os.scandir(folder) as entries:
                found = [entry for entry in entries if entry.name == GIT_FOLDER or entry.is_dir(follow_symlinks=False)]
        except OSError:
            return []  # it is gone, or git cannot read it either
        if folder != self._root and any(entry.name == GIT_FOLDER for entry in found):
            self._can_tell = False  # git lists a nested repository by other rules
        paths = (entry.path for entry in found if entry.name not in (GIT_FOLDER, OWN_FOLDER))
        return [path for path in paths if path not in self._noted and path not in self._ignored]


def _stamp(path: str) -> Stamp:
    try:
        found = os.lstat(path)
    except OSError:
        return NOTHING
    return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_ctime_ns


def _keeps_times(repository: Repository) -> bool:
    """Check that creating, renaming and removing a file each change the modification time of its folder."""
    if sys.platform == "win32":
        return False
    with scratch_folder(repository) as scratch:
        one, other = scratch / "one", scratch / "other"
        return all(_moves_time(scratch, step) for step in (one.touch, lambda: one.rename(other), other.unlink))


def _moves_time(folder: Path, step: Callable[[], object]) -> bool:
    os.utime(folder, (0, 0))
    step()
    return folder.stat().st_mtime_ns > 0
