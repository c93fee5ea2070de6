"""Recognises ignored files that were moved. No rule matches their new path, but they still belong to the user.

The baseline records the inode and creation time of ignored files. A new file, link or folder with the same inode and
creation time is never saved, whatever its content, and restoring moves it back. The inode alone is not enough: file
systems reuse the inodes of deleted files. If the creation time is unknown, the name or the size and time must be equal
too.
"""

import os
import stat
from collections.abc import Collection, Iterable, Iterator

import msgspec

from headway.snapshots.creation_time import creation_time

MAX_FILES = 10_000
MAX_FILES_PER_FOLDER = 1_000
"""Maximum number of files to record, in total and per ignored folder."""

CACHES = frozenset({"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".coverage"})
"""Caches that tools create again."""


class FileIdentity(msgspec.Struct, frozen=True, array_like=True):
    """What identifies a file or folder in another place."""

    inode: int
    size: int
    time: int
    is_folder: bool = False
    mode: int = 0o777
    is_link: bool = False
    created: int = 0
    """The creation time in nanoseconds; 0 if unknown."""


def identity_at(path: str) -> FileIdentity | None:
    """The identity of the file, link or folder at a path; None if there is nothing, or something else."""
    try:
        found = os.lstat(path)
    except OSError:
        return None
    kind, mode = stat.S_IFMT(found.st_mode), found.st_mode & 0o777
    if kind not in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK):
        return None
    is_folder, is_link = kind == stat.S_IFDIR, kind == stat.S_IFLNK
    return FileIdentity(found.st_ino, found.st_size, found.st_mtime_ns, is_folder, mode, is_link, creation_time(path))


def identities_of(root: str, ignored: Iterable[str]) -> dict[bytes, FileIdentity]:
    """The identities of ignored paths. Of a folder, whose name ends with a slash, its first files are included."""
    found: dict[bytes, FileIdentity] = {}
    for path in ignored:
        for place in (path.rstrip("/"), *(_inside(root, path) if path.endswith("/") else ())):
            if len(found) < MAX_FILES and (seen := identity_at(f"{root}/{place}")):
                found[os.fsencode(place)] = seen
    return found


def _inside(root: str, folder: str) -> Iterator[str]:
    left = MAX_FILES_PER_FOLDER
    for here, folders, files in os.walk(f"{root}/{folder}"):
        names = [*files, *folders]
        for name in names[:left]:
            yield os.path.relpath(f"{here}/{name}", root)
        left -= len(names)
        if left <= 0:
            return


def widened_permissions(root: str, seen: dict[bytes, FileIdentity]) -> Iterator[tuple[str, int]]:
    """Paths with more permissions than recorded, and the permissions without the additional ones."""
    for path, was in seen.items():
        now = identity_at(f"{root}/{os.fsdecode(path)}")
        if now is None or now.is_link or was.is_link:
            continue  # a link has no permissions of its own
        if now.is_folder == was.is_folder and now.mode & ~was.mode:
            yield os.fsdecode(path), now.mode & was.mode


class Displaced:
    """The ignored files of the baseline that are no longer in their places."""

    def __init__(self, root: str, seen: dict[bytes, FileIdentity]) -> None:
        self._root = root
        self.gone = {path: one for path, one in seen.items() if not _is_in_place(root, path, one)}
        self._by_inode = {one.inode: path for path, one in self.gone.items()}
        self._by_look = {
            (_name(path), one.size, one.time): path for path, one in self.gone.items() if one.size and not one.is_folder
        }
        self._folders: dict[str, str | None] = {"": None}

    def origin(self, path: str) -> str | None:
        """The path of a file at the baseline, if it or a folder above it was ignored then and has moved."""
        if not self.gone:
            return None
        above, _, name = path.rpartition("/")
        origin = self._folder_origin(above)
        if origin is not None:
            return f"{origin}/{name}"
        return self._own_origin(path, is_folder=False)

    def moved_among(self, paths: Iterable[str]) -> dict[str, str]:
        """The current path → original path of moved files. A folder that moved as a whole is one entry."""
        found: dict[str, str] = {}
        for path in paths if self.gone else ():
            ends = [end for end, sign in enumerate(path) if sign == "/"]
            folders = [path[:end] for end in ends]
            moved = next((folder for folder in folders if self._folder_origin(folder) is not None), None)
            origin = self._folder_origin(moved) if moved else None if path.endswith("/") else self.origin(path)
            if origin is not None:
                found[moved or path] = origin
        return found

    def lost(self, put_aside: Collection[str]) -> list[str]:
        """The ignored files that no longer exist anywhere, without caches. A lost folder is one entry, with a slash.

        `put_aside` holds the original paths of files that were moved.
        """
        found: list[str] = []
        for path in sorted(map(os.fsdecode, self.gone)):
            above = tuple(f"{folder}/" for folder in (*put_aside, *found[-1:]))
            if CACHES & {*path.split("/")} or path in put_aside or f"{path}/".startswith(above):
                continue
            if not os.path.lexists(f"{self._root}/{path}"):
                found.append(path)
        return [f"{path}/" if self.gone[os.fsencode(path)].is_folder else path for path in found]

    def _folder_origin(self, folder: str) -> str | None:
        if folder not in self._folders:
            above, _, name = folder.rpartition("/")
            around = self._folder_origin(above)
            self._folders[folder] = f"{around}/{name}" if around else self._own_origin(folder, is_folder=True)
        return self._folders[folder]

    def _own_origin(self, path: str, *, is_folder: bool) -> str | None:
        now = identity_at(f"{self._root}/{path}")
        if now is None or now.is_folder != is_folder:
            return None
        origin = self._by_inode.get(now.inode)
        if origin is not None and self._is_same(self.gone[origin], now, _name(origin) == _name(os.fsencode(path))):
            return os.fsdecode(origin)
        copied = self._by_look.get((_name(os.fsencode(path)), now.size, now.time))  # moved to another disk
        return os.fsdecode(copied) if copied is not None and not is_folder else None

    def _is_same(self, was: FileIdentity, now: FileIdentity, is_namesake: bool) -> bool:
        if (was.is_folder, was.is_link) != (now.is_folder, now.is_link):
            return False
        if was.created and now.created:
            return was.created == now.created
        if was.is_folder:
            return was.time == now.time
        return is_namesake or (was.size, was.time) == (now.size, now.time)


def _is_in_place(root: str, path: bytes, was: FileIdentity) -> bool:
    now = identity_at(f"{root}/{os.fsdecode(path)}")
    return now is not None and now.inode == was.inode


def _name(path: bytes) -> bytes:
    return path.rpartition(b"/")[2]
