"""Writing and removing files below a root, each at once, and never through a symbolic link."""

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
"""Writes a file's bytes to where it is told."""


def write(root: Path, entry: StoredFile, content: Content, permissions: int | None = None) -> None:
    """Put one stored file in its place: written beside it first, then renamed over it."""
    place = _place(root, entry.path)
    _make_folders(root, entry.path)
    scratch = beside(place)
    scratch.unlink(missing_ok=True)  # left by a run that was killed here
    try:
        _write_beside(scratch, place, entry.mode, content, permissions)
        if stat.S_ISDIR(mode_of(str(place))):
            _remove_hollow(place)
        scratch.replace(place)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise


def beside(place: Path) -> Path:
    """Where a file is written before it is put in its place."""
    return place.with_name(OWN_SCRATCH + hashlib.sha256(os.fsencode(place.name)).hexdigest()[:12])


def remove(root: Path, path: str, spared: Collection[str] = ()) -> None:
    """Remove one file or link, and the folders that it leaves empty, up to the first that is spared."""
    place = _place(root, path)
    if not RealFolders(str(root)).lead_to(path):
        raise NotADirectoryError(f"{path} lies behind a symbolic link")
    place.unlink(missing_ok=True)
    _remove_empty(root, path, spared)


def put_back(root: Path, path: str, origin: str, spared: Collection[str] = ()) -> bool:
    """Move a file or folder to where it was, unless something is there; folders that it leaves empty are removed."""
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
    """Remove the folders above a path that are empty now, up to the first that is spared."""
    with suppress(OSError):  # until the first that is not empty
        for folder in Path(path).parents[:-1]:
            if str(folder) in spared:
                break
            (root / folder).rmdir()


def make_folder(root: Path, path: str) -> None:
    """Make a folder where there is nothing; what stands in its way is left alone."""
    with suppress(OSError, ValueError):
        _make_folders(root, f"{path}/file")


def in_the_way(root: Path, paths: Collection[str], removals: Collection[str]) -> Iterator[str]:
    """What stands where files are to be written, although no snapshot holds it."""
    going = set(removals)
    for path in paths:
        above = (str(folder) for folder in Path(path).parents[:-1])
        for folder in above:
            mode = mode_of(f"{root}/{folder}")
            if mode and not stat.S_ISDIR(mode) and folder not in going:
                yield folder
        yield from (found for found in inside(root, path) if found not in going)


def inside(root: Path, path: str) -> Iterator[str]:
    """Files and links below a path, if it is a folder that can be reached without a link."""
    if not RealFolders(str(root)).lead_to(path) or not stat.S_ISDIR(mode_of(f"{root}/{path}")):
        return
    for folder, folders, files in os.walk(f"{root}/{path}"):
        links = [name for name in folders if os.path.islink(f"{folder}/{name}")]  # noqa: PTH114 (bytes-safe and fast)
        for name in (*files, *links):
            yield os.path.relpath(f"{folder}/{name}", root)


def _place(root: Path, path: str) -> Path:
    """Where a stored path belongs; refuses one that a crafted tree could use to leave the root or enter `.git`."""
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


def _remove_hollow(folder: Path) -> None:
    """Remove a folder that holds nothing but empty folders, which no snapshot can hold; fails if it holds more."""
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
    """A file gets the permissions that are wanted. Where none are, one that is there keeps them.

    Any other gets what is usual here.
    """
    if wanted is not None:
        return wanted, True
    present = mode_of(str(place))
    if not stat.S_ISREG(present):
        return (0o777 if mode == EXECUTABLE else 0o666), False
    allowed = stat.S_IMODE(present) & 0o777
    return (allowed | (allowed & 0o444) >> 2 if mode == EXECUTABLE else allowed & ~0o111), True
