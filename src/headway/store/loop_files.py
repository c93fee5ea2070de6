"""The files of a loop, in a tree below one folder.

    {loop_id}/
      progress/    iteration-000-baseline.json  iteration-001-metrics.json  …  trajectory.json
      iterations/  iteration-001/  metrics.json  manifest.json  and the results of the round's measuring tools
      reports/     iteration-001-report.md  …  output-selection-report.md
      best-tracker.json
      loop.json    the whole loop so far, written last, after everything it refers to

The caller decides what the files contain. A file under its final name is always complete: it is written under another
name, flushed to disk and renamed. One process writes at a time; the next one removes partial files of a killed one.
"""

import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

if sys.platform != "win32":
    import fcntl

LONGEST_NAME = 100
MAX_PARALLEL_FLUSHES = 16
LOOP = "loop.json"
LARGEST_LOOP = 64_000_000
"""Maximum size of a loop file, because a file that came with a project must not fill the memory."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_UNFINISHED = ".headway-*.tmp"
_ROOM = "a place that can be written, with room for it"


class StorageError(Exception):
    """Something cannot be stored or found. The message names the path and what was expected."""


class LoopFiles:
    """The files of one loop. Its folder is created with the first file."""

    def __init__(self, root: Path, loop_id: str) -> None:
        self.folder = root / _checked(loop_id, "a loop id")

    def write_round(
        self,
        number: int,
        *,
        metrics: bytes,
        manifest: bytes,
        report: str,
        trajectory: bytes,
        best: bytes,
        loop: bytes,
        results: Mapping[str, bytes] | None = None,
    ) -> None:
        """Store one assessed round; number 0 is the baseline. `results` are reports of measuring tools."""
        if number < 0:
            raise ValueError(f"a round has a number from 0 on, not {number}")
        round = f"iteration-{number:03d}"
        contents = {
            **{f"iterations/{round}/{_checked(name, 'a file name')}": data for name, data in (results or {}).items()},
            f"progress/{round}-{'metrics' if number else 'baseline'}.json": metrics,
            f"iterations/{round}/metrics.json": metrics,
            f"iterations/{round}/manifest.json": manifest,
            f"reports/{round}-report.md": report.encode(),
            "progress/trajectory.json": trajectory,
            "best-tracker.json": best,
            LOOP: loop,
        }
        self._write(contents)

    def write_selection(self, *, report: str, best: bytes, loop: bytes) -> None:
        """Store the selected round."""
        self._write({"reports/output-selection-report.md": report.encode(), "best-tracker.json": best, LOOP: loop})

    def load(self) -> bytes:
        """The complete loop as it was last written."""
        return read_loop(self.folder)

    def _write(self, contents: Mapping[str, bytes]) -> None:
        with _naming(self.folder, "a folder that can be written"):
            self.folder.mkdir(parents=True, exist_ok=True)
            with _alone(self.folder):
                places = {self.folder / name: data for name, data in contents.items()}
                _sweep({place.parent for place in places})
                write_together(places)


def loops(root: Path) -> list[str]:
    """The ids of all loops below a folder."""
    with _naming(root, "the folder in which work loops are kept"):
        return sorted(folder.name for folder in root.iterdir() if (folder / LOOP).is_file())


def read_loop(folder: Path) -> bytes:
    """The content of a loop's folder."""
    with _naming(folder / LOOP, "a work loop that `headway loop` has written"):
        return _read_regular(folder / LOOP)


def _read_regular(path: Path) -> bytes:
    """Read a regular file only: reading a pipe or a device might never end."""
    _check_regular(path.stat().st_mode)  # opening a device may already have an effect
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(descriptor, "rb") as file:  # noqa: PTH123 (the descriptor is what was looked at)
        _check_regular(os.fstat(descriptor).st_mode)
        data = file.read(LARGEST_LOOP + 1)
    if len(data) > LARGEST_LOOP:
        raise OSError(f"it has more than {LARGEST_LOOP:,} bytes")
    return data


def _check_regular(mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise OSError("it is not a regular file")


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file completely or not at all."""
    write_together({path: data})


def write_together(contents: Mapping[Path, bytes]) -> None:
    """Write files in order, each completely or not at all. Flushing them together costs little more than one."""
    from concurrent.futures import ThreadPoolExecutor

    unfinished: dict[Path, Path] = {}
    try:
        for path, data in contents.items():
            with _naming(path, _ROOM):
                path.parent.mkdir(parents=True, exist_ok=True)
                unfinished[path] = path.with_name(_UNFINISHED.replace("*", os.urandom(8).hex()))
                unfinished[path].write_bytes(data)
        with ThreadPoolExecutor(MAX_PARALLEL_FLUSHES) as together:  # in sequence, each would wait for the disk
            list(together.map(_bring_to_disk, unfinished, unfinished.values()))
        for path, beside in unfinished.items():
            with _naming(path, _ROOM):
                beside.replace(path)
    except BaseException:
        for beside in unfinished.values():
            beside.unlink(missing_ok=True)
        raise


def _bring_to_disk(path: Path, beside: Path) -> None:
    """Flush and rename. Without the flush, a power cut may leave an empty file."""
    with _naming(path, _ROOM), beside.open("r+b") as file:
        os.fsync(file.fileno())


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let other writers of the same loop wait, so that its files match. There is no such lock on Windows."""
    if sys.platform == "win32":
        yield
        return
    with (folder / ".lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # released by the system, even if this process is killed
        yield


def _sweep(folders: Iterable[Path]) -> None:
    """Remove temporary files of a killed writer. A resumed loop writes its latest round again."""
    if sys.platform == "win32":  # without a lock, another process may be writing
        return
    for folder in folders:
        for left_behind in folder.glob(_UNFINISHED):
            left_behind.unlink(missing_ok=True)


@contextmanager
def _naming(path: Path, expected: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror or error}; expected {expected}") from error


def _checked(name: str, what: str) -> str:
    if _NAME.fullmatch(name) and ".." not in name and len(name) <= LONGEST_NAME:
        return name
    raise ValueError(
        f"{name[:LONGEST_NAME]!r} is not {what}: expected at most {LONGEST_NAME} letters, digits, '-', '_' and single"
        " dots, beginning with a letter or digit"
    )
