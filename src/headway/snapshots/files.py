"""Writes and removes files below a root, atomically and never through a symbolic link."""

import hashlib
import os
import stat
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

from headway.snapshots.names import OWN_SCRATCH
from headway.snapshots.on_disk import RealFolders, mode_of
from headway.snapshots.trees import EXECUTABLE, SYMLINK, StoredFile

Content = Callable[[IO[bytes]], None]
"""Writes the bytes of a file to the given stream."""


def write(root: Path, entry: StoredFile, content: Content, permissions: int | None = None) -> None:
    """Write one stored file: first to a scratch file beside it, then rename that over it."""
    place = _place(root, entry.path)
    _make_folders(root, entry.path)
    scratch = scratch_path(place)
    scratch.unlink(missing_ok=True)  # left by a process that was killed
    try:
        _write_beside(scratch, place, entry.mode, content, permissions)
        if stat.S_ISDIR(mode_of(str(place))):
            _remove_empty_tree(place)
        scratch.replace(place)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise


def scratch_path(place: Path) -> Path:
    """The path of the scratch file for a file."""
    return place.with_name(OWN_SCRATCH + hashlib.sha256(os.fsencode(place.name)).hexdigest()[:12])


def remove(root: Path, path: str, spared: Collection[str] = ()) -> None:
    """Remove a file or link, then its folders that are now empty, up to the first one in `spared`."""
    place = _place(root, path)
    if not RealFolders(str(root)).lead_to(path):
        raise NotADirectoryError(f"{path} is behind a symbolic link")
    place.unlink(missing_ok=True)
    _remove_empty(root, path, spared)


def put_back(root: Path, path: str, origin: str, spared: Collection[str] = ()) -> bool:
    """Move a file or folder to `origin` unless something is there, and remove the folders that this leaves empty."""
    folders = RealFolders(str(root))
    try:
        if mode_of(f"{root}/{origin}") or not folders.lead_to(path):
            return False
        _make_folders(root, origin)
        _place(root, path).rename(_place(root, origin))
    except (OSError, ValueError):
        return False
    _remove_empty(root, path, spared)
    return True


def _remove_empty(root: Path, path: str, spared: Collection[str]) -> None:
    """Remove the empty folders above a path, up to the first one in `spared`."""
    with suppress(OSError):  # stops at the first folder that is not empty
        for folder in Path(path).parents[:-1]:
            if str(folder) in spared:
                break
            (root / folder).rmdir()


def make_folder(root: Path, path: str) -> None:
    """Create a folder, unless something is already at its path."""
    with suppress(OSError, ValueError):
        _make_folders(root, f"{path}/file")


def obstacles(root: Path, paths: Collection[str], removals: Collection[str]) -> Iterator[str]:
    """Paths in the way of files to be written, except those that will be removed."""
    going = set(removals)
    for path in paths:
        above = (str(folder) for folder in Path(path).parents[:-1])
        for folder in above:
            mode = mode_of(f"{root}/{folder}")
            if mode and not stat.S_ISDIR(mode) and folder not in going:
                yield folder
        yield from (found for found in files_below(root, path) if found not in going)


def files_below(root: Path, path: str) -> Iterator[str]:
    """Files and links below a path, if it is a folder that can be reached without a link."""
    if not RealFolders(str(root)).lead_to(path) or not stat.S_ISDIR(mode_of(f"{root}/{path}")):
        return
    for folder, folders, files in os.walk(f"{root}/{path}"):
        links = [name for name in folders if os.path.islink(f"{folder}/{name}")]  # noqa: PTH114 (bytes-safe and fast)
        for name in (*files, *links):
            yield os.path.relpath(f"{folder}/{name}", root)


def _place(root: Path, path: str) -> Path:
    """The absolute path of a stored file. Refuses paths that leave the root or enter `.git`."""
    if any(word in ("", ".", "..") or word.lower() == ".git" for word in path.split("/")):
        raise ValueError(f"{path!r} is not a path that a snapshot may hold")
    return root / path


def _make_folders(root: Path, path: str) -> None:
    for folder in reversed(Path(path).parents[:-1]):
        mode = mode_of(str(root / folder))
        if not mode:
            (root / folder).mkdir()
        elif not stat.S_ISDIR(mode):
            raise NotADirectoryError(f"{folder} is not a folder, so {path} cannot be written")


def _remove_empty_tree(folder: Path) -> None:
    """Remove a folder that contains only empty folders; fails if it contains anything else."""
    for here, _, _ in os.walk(folder, topdown=False):
        Path(here).rmdir()


def _write_beside(scratch: Path, place: Path, mode: str, content: Content, wanted: int | None) -> None:
    if mode == SYMLINK:
        _write_link(scratch, content)
        return
    permissions, exactly = _permissions(place, mode, wanted)
    descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, permissions)
    with os.fdopen(descriptor, "wb") as file:
        content(file)
    if exactly:
        scratch.chmod(permissions)


def _write_link(scratch: Path, content: Content) -> None:
    with scratch.open("wb") as file:
        content(file)
    target = scratch.read_bytes()
    scratch.unlink()
    scratch.symlink_to(os.fsdecode(target))


def _permissions(place: Path, mode: str, wanted: int | None) -> tuple[int, bool]:
    """The permissions for a file: the wanted ones, else those it already has, else the usual ones."""
    if wanted is not None:
        return wanted, True
    present = mode_of(str(place))
    if not stat.S_ISREG(present):
        return (0o777 if mode == EXECUTABLE else 0o666), False
    allowed = stat.S_IMODE(present) & 0o777
    return (allowed | (allowed & 0o444) >> 2 if mode == EXECUTABLE else allowed & ~0o111), True
