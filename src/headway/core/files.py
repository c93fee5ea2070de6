"""Which lines of which files the agent has seen, and what has changed since."""

import posixpath
from collections.abc import Iterable

import msgspec

from headway.rolling.bounded import push
from headway.tools.meaning import END


class FileRecord(msgspec.Struct):
    """What is known of one file. Reads count from the last change or compaction on."""

    reads: int = 0
    rereads: int = 0
    """Reads that brought back mostly lines that had been read already."""
    last_reread: int = 0
    """Step of the latest such read."""
    ranges: list[tuple[int, int]] = []
    outputs: list[int] = []
    """Fingerprints of what whole reads returned."""
    changes: int = 0
    last_change: int = 0
    known_before_compaction: bool = False

    def note_read(self, lines: tuple[int, int] | None, output: int, step: int, share: float) -> None:
        """Count a read; it is a re-read when at least `share` of its lines were read before."""
        self.reads += 1
        if self._is_known(lines, output, share):
            self.rereads += 1
            self.last_reread = step
        if lines is None:
            push(self.outputs, output, 8)
        self.ranges = merged([*self.ranges, lines or (1, END)], 32)

    def note_change(self, step: int) -> None:
        """Forget what was read: it is no longer what the file holds."""
        self.changes += 1
        self.last_change = step
        self.known_before_compaction = False
        self._forget()

    def note_turn(self) -> None:
        """A new request may honestly read everything again."""
        self._forget()

    def note_compaction(self) -> None:
        """Forget what was read, because the agent did; remember that it had been read."""
        self.known_before_compaction = self.known_before_compaction or self.reads > 0
        self._forget()

    def _forget(self) -> None:
        self.reads = self.rereads = self.last_reread = 0
        self.ranges, self.outputs = [], []

    def _is_known(self, lines: tuple[int, int] | None, output: int, share: float) -> bool:
        if lines is None:  # a whole read, or a tool that keeps its own place: only the output can tell
            return output in self.outputs
        return overlap(lines, self.ranges) >= share


def overlap(lines: tuple[int, int], ranges: Iterable[tuple[int, int]]) -> float:
    """Which share of some lines lies inside the ranges (which do not overlap each other)."""
    first, last = lines
    shared = sum(max(0, min(last, b) - max(first, a) + 1) for a, b in ranges)
    return shared / max(1, last - first + 1)


def merged(ranges: Iterable[tuple[int, int]], limit: int) -> list[tuple[int, int]]:
    """Join ranges that touch; keep the `limit` latest ones by position."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined[-limit:]


def tidy(path: str, root: str | None) -> str:
    """One spelling per file: forward slashes, no `./`, relative to the root where it lies below it."""
    path = posixpath.normpath(path.replace("\\", "/")) if path else path
    if root and path.startswith(root) and path[len(root) : len(root) + 1] in ("/", ""):
        return path[len(root) + 1 :] or "."
    return path


def folder_of(path: str, is_file: bool) -> str:
    """The folder a path lies in; a path that may be a folder is one unless its name has an ending."""
    return posixpath.dirname(path) if is_file or "." in posixpath.basename(path).lstrip(".") else path


def top_level(folders: Iterable[str]) -> list[str]:
    """The different top-level folders among some folders.

    Absolute ones are read below what they all share, because nobody told us where the project begins.
    """
    absolute = [folder for folder in folders if folder.startswith("/")]
    shared = posixpath.commonpath(absolute) if absolute else ""
    tops = {folder[len(shared) :].lstrip("/").split("/")[0] for folder in absolute}
    tops |= {folder.split("/")[0] for folder in folders if not folder.startswith("/")}
    return sorted(tops - {"", ".", ".."})
