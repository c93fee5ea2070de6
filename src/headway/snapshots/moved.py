"""Ignored files that were moved: no rule knows them in their new place, and they are still the user's.

The baseline writes down the inode of what was ignored and when it was made. A new file, link or folder that has both
is not taken in, whatever it says by now, and going back puts it where it was. A bare inode would not do: file systems
give the number of a deleted file to a new one. If the creation time of a file is unknown, its name or its size and time
have to be the same, too.
"""

import os
import stat
from collections.abc import Collection, Iterable, Iterator

import msgspec

from headway.snapshots.births import born

AT_MOST = 10_000
INSIDE = 1_000
"""Maximum number of files to record, in total and per ignored folder."""

CACHES = frozenset({"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".coverage"})
"""What tools write by the way, and make again."""


class Seen(msgspec.Struct, frozen=True, array_like=True):
    """What tells a file or folder from others, wherever it lies."""

    inode: int
    size: int
    time: int
    is_folder: bool = False
    mode: int = 0o777
    """Who might read, write and run it."""
    is_link: bool = False
    born: int = 0
    """When it was made, in nanoseconds; 0 where the system does not tell."""


def seen_at(path: str) -> Seen | None:
    """What is at a path now; None if nothing is, or something that is neither a file nor a link nor a folder."""
    try:
        found = os.lstat(path)
    except OSError:
        return None
    kind, mode = stat.S_IFMT(found.st_mode), found.st_mode & 0o777
    if kind not in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK):
        return None
    is_folder, is_link = kind == stat.S_IFDIR, kind == stat.S_IFLNK
    return Seen(found.st_ino, found.st_size, found.st_mtime_ns, is_folder, mode, is_link, born(path))


def all_seen(root: str, ignored: Iterable[str]) -> dict[bytes, Seen]:
    """What is to be written down of ignored paths. Of a folder, whose name ends with a slash, some files are."""
    found: dict[bytes, Seen] = {}
    for path in ignored:
        for place in (path.rstrip("/"), *(_inside(root, path) if path.endswith("/") else ())):
            if len(found) < AT_MOST and (seen := seen_at(f"{root}/{place}")):
                found[os.fsencode(place)] = seen
    return found


def _inside(root: str, folder: str) -> Iterator[str]:
    left = INSIDE
    for here, folders, files in os.walk(f"{root}/{folder}"):
        names = [*files, *folders]
        for name in names[:left]:
            yield os.path.relpath(f"{here}/{name}", root)
        left -= len(names)
        if left <= 0:
            return


def opened(root: str, seen: dict[bytes, Seen]) -> Iterator[tuple[str, int]]:
    """What others may read, write or run now and might not before, with the permissions that are left without that."""
    for path, was in seen.items():
        now = seen_at(f"{root}/{os.fsdecode(path)}")
        if now is None or now.is_link or was.is_link:
            continue  # a link has no permissions of its own
        if now.is_folder == was.is_folder and now.mode & ~was.mode:
            yield os.fsdecode(path), now.mode & was.mode


class Displaced:
    """What was ignored at the baseline and is no longer in its place."""

    def __init__(self, root: str, seen: dict[bytes, Seen]) -> None:
        self._root = root
        self.gone = {path: one for path, one in seen.items() if not _is_in_place(root, path, one)}
        self._by_inode = {one.inode: path for path, one in self.gone.items()}
        self._by_look = {
            (_name(path), one.size, one.time): path for path, one in self.gone.items() if one.size and not one.is_folder
        }
        self._folders: dict[str, str | None] = {"": None}

    def origin(self, path: str) -> str | None:
        """Where a file was at the baseline, if it was ignored there, by itself or with a folder above it."""
        if not self.gone:
            return None
        above, _, name = path.rpartition("/")
        origin = self._folder_origin(above)
        if origin is not None:
            return f"{origin}/{name}"
        return self._own_origin(path, is_folder=False)

    def found_among(self, paths: Iterable[str]) -> dict[str, str]:
        """Where they lie now and where they were. A folder that was moved whole is one entry."""
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
        """What is nowhere any more; of a folder that is gone whole, its name with a slash. Caches do not count.

        `put_aside` are the places at the baseline of what lies elsewhere now.
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
        now = seen_at(f"{self._root}/{path}")
        if now is None or now.is_folder != is_folder:
            return None
        origin = self._by_inode.get(now.inode)
        if origin is not None and self._is_same(self.gone[origin], now, _name(origin) == _name(os.fsencode(path))):
            return os.fsdecode(origin)
        copied = self._by_look.get((_name(os.fsencode(path)), now.size, now.time))  # from one disk to another
        return os.fsdecode(copied) if copied is not None and not is_folder else None

    def _is_same(self, was: Seen, now: Seen, is_namesake: bool) -> bool:
        if (was.is_folder, was.is_link) != (now.is_folder, now.is_link):
            return False
        if was.born and now.born:
            return was.born == now.born
        if was.is_folder:
            return was.time == now.time
        return is_namesake or (was.size, was.time) == (now.size, now.time)


def _is_in_place(root: str, path: bytes, was: Seen) -> bool:
    now = seen_at(f"{root}/{os.fsdecode(path)}")
    return now is not None and now.inode == was.inode


def _name(path: bytes) -> bytes:
    return path.rpartition(b"/")[2]
