"""Records file permissions. Git itself stores only the executable bit.

A snapshot stores the permissions that differ from its loop's baseline, and the baseline those that are unusual. Folders
are those of the baseline; their names end with a slash here.
"""

import os
import stat
from collections.abc import Iterator, Mapping

from headway.snapshots.baseline import Baseline
from headway.snapshots.trees import EXECUTABLE

FILE, PROGRAM = 0o644, 0o755
USUAL = -1
"""Stored for a file that had unusual permissions at the baseline and now has the usual ones."""


def unusual(looked_at: Mapping[str, os.stat_result]) -> dict[str, int]:
    """The permissions of the regular files that have unusual ones."""
    found = ((path, one.st_mode) for path, one in looked_at.items() if stat.S_ISREG(one.st_mode))
    return {path: mode & 0o777 for path, mode in found if mode & 0o777 not in (FILE, PROGRAM)}


class Permissions:
    """The permissions in one snapshot."""

    def __init__(self, differing: Mapping[str, int], baseline: Baseline | None) -> None:
        self._differing, self._baseline = differing, baseline

    def of(self, path: str, *, is_program: bool) -> int:
        """The permissions of a file."""
        noted = self._noted(path)
        return noted if noted != USUAL else PROGRAM if is_program else FILE

    def of_entry(self, path: str, mode: str) -> int:
        """The permissions of a stored file."""
        return self.of(path, is_program=mode == EXECUTABLE)

    def _noted(self, path: str) -> int:
        if path in self._differing:
            return self._differing[path]
        return self._baseline.facts.permissions.get(os.fsencode(path), USUAL) if self._baseline else USUAL

    def to_restore(self, root: str, present: Mapping[str, int]) -> Iterator[tuple[str, int]]:
        """Paths whose permissions differ from the current ones, folders first, with the wanted permissions."""
        folders = self._baseline.facts.directories if self._baseline else {}
        for path in sorted({*present, *self._differing, *(f"{os.fsdecode(folder)}/" for folder in folders)}):
            try:
                now = os.lstat(f"{root}/{path}").st_mode
            except OSError:
                continue
            if path.endswith("/"):
                wanted = self._differing.get(path, folders.get(os.fsencode(path[:-1]), USUAL))
                fits = stat.S_ISDIR(now) and wanted != USUAL
            else:
                wanted = self.of(path, is_program=bool(now & stat.S_IXUSR))
                fits = stat.S_ISREG(now)
            if fits and now & 0o777 != wanted:
                yield path, wanted


def differing(root: str, modes: Mapping[str, int], baseline: Baseline | None) -> dict[str, int]:
    """The permissions that a snapshot stores: unusual ones, and those of folders, that differ from the baseline."""
    if baseline is None:
        return dict(modes)
    then = baseline.facts.permissions
    found = {path: mode for path, mode in modes.items() if then.get(os.fsencode(path)) != mode}
    found |= {path: USUAL for path in map(os.fsdecode, then) if path not in modes}
    for folder, mode in baseline.facts.directories.items():
        path = os.fsdecode(folder)
        try:
            now = os.lstat(f"{root}/{path}").st_mode
        except OSError:
            continue
        if stat.S_ISDIR(now) and now & 0o777 != mode:
            found[f"{path}/"] = now & 0o777
    return found


def as_text(path: str) -> str:
    """A path as text for a manifest: one character for each byte."""
    return os.fsencode(path).decode("latin-1")


def as_path(text: str) -> str:
    """The reverse of `as_text`."""
    return os.fsdecode(text.encode("latin-1"))
