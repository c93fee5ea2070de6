"""Who may read, write and run files: what git keeps no more of than the executable bit.

A snapshot writes down what differs from its loop's baseline, and the baseline what differs from the usual. Folders are
those of the baseline; their names end with a slash here.
"""

import os
import stat
from collections.abc import Iterator, Mapping

from headway.snapshots.baseline import Baseline
from headway.snapshots.trees import EXECUTABLE

FILE, PROGRAM = 0o644, 0o755
USUAL = -1
"""Written down where a file was unusual at the baseline and no longer is."""


def unusual(looked_at: Mapping[str, os.stat_result]) -> dict[str, int]:
    """The permissions of those regular files that have none of the usual ones."""
    found = ((path, one.st_mode) for path, one in looked_at.items() if stat.S_ISREG(one.st_mode))
    return {path: mode & 0o777 for path, mode in found if mode & 0o777 not in (FILE, PROGRAM)}


class Permissions:
    """The permissions in one snapshot."""

    def __init__(self, differing: Mapping[str, int], baseline: Baseline | None) -> None:
        self._differing, self._baseline = differing, baseline

    def of(self, path: str, *, is_program: bool) -> int:
        """What a file has."""
        noted = self._noted(path)
        return noted if noted != USUAL else PROGRAM if is_program else FILE

    def of_entry(self, path: str, mode: str) -> int:
        """What a stored file has."""
        return self.of(path, is_program=mode == EXECUTABLE)

    def _noted(self, path: str) -> int:
        if path in self._differing:
            return self._differing[path]
        return self._baseline.facts.permissions.get(os.fsencode(path), USUAL) if self._baseline else USUAL

    def to_restore(self, root: str, present: Mapping[str, int]) -> Iterator[tuple[str, int]]:
        """Paths whose permissions differ from those that are there, folders first, and what they should be."""
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
    """What a snapshot writes down: unusual permissions, and folders, that are not as at the baseline."""
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
    """A path for a manifest: any bytes, each as one character."""
    return os.fsencode(path).decode("latin-1")


def as_path(text: str) -> str:
    """What `as_text` made, as a path again."""
    return os.fsdecode(text.encode("latin-1"))
