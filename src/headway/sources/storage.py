"""Files in a folder of this machine or in object storage, with the few operations that a job needs.

A URL (`s3://`, `gs://`, `az://`, `hf://`) is opened with fsspec; plain paths and `file://` need no package at all. What
is written appears as a whole: a local file is written under another name and renamed, an object is put in one request.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote

import msgspec

from headway.sources.packed import UnreadableError, readable

_UNFINISHED = ".unfinished"


class Stored(msgspec.Struct, frozen=True):
    """One file in storage."""

    name: str
    """Relative to the storage's own place, with `/` between its parts."""
    size: int
    version: str
    """Changes whenever the content may have changed: an ETag, or the time of the last change."""
    changed_at: float | None = None


class Storage(Protocol):
    """A place with files in it."""

    place: str
    """What it is called: a path or a URL."""

    def files(self, under: str = "") -> list[Stored]:
        """All files, or those in a folder, by name."""

    def fetch(self, name: str, target: Path) -> None:
        """Copy a file to this machine."""

    def put(self, source: Path, name: str) -> None:
        """Store a file under a name. It appears as a whole or not at all."""

    def read(self, name: str) -> bytes | None:
        """A small file; None if there is none."""

    def write(self, name: str, content: bytes) -> None:
        """Store a small file."""

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""


def is_url(place: str) -> bool:
    """Whether it is a URL and not a path."""
    scheme, found, _ = place.partition("://")
    return bool(found) and scheme.replace("+", "").isalnum()


def path_of(place: str) -> str:
    """The path of a `file://` URL; empty for other URLs."""
    return unquote(place.removeprefix("file://")) if place.startswith("file://") else ""


def storage_at(place: str) -> Storage:
    """The storage at a path or a URL."""
    if is_url(place) and not path_of(place):
        return Bucket(place)
    return LocalFolder(path_of(place) or place)


class LocalFolder:
    """A folder of this machine."""

    def __init__(self, place: str) -> None:
        self.place = place
        self._top = Path(place)

    def files(self, under: str = "") -> list[Stored]:
        """All files, or those in a folder, by name."""
        top = self._top / under
        found = (Path(folder) / name for folder, _, names in os.walk(top) for name in names)
        whole = (path for path in found if not path.name.endswith(_UNFINISHED) and path.is_file())
        return sorted((self._stored(path) for path in whole), key=lambda one: one.name)

    def _stored(self, path: Path) -> Stored:
        seen = path.stat()
        name = path.relative_to(self._top).as_posix()
        return Stored(name, seen.st_size, str(seen.st_mtime_ns), seen.st_mtime)

    def fetch(self, name: str, target: Path) -> None:
        """Copy a file."""
        shutil.copyfile(self._top / name, target)

    def put(self, source: Path, name: str) -> None:
        """Copy a file into the folder."""
        with self._unfinished(name) as unfinished:
            shutil.copyfile(source, unfinished)

    def read(self, name: str) -> bytes | None:
        """A small file; None if there is none."""
        try:
            return (self._top / name).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def write(self, name: str, content: bytes) -> None:
        """Store a small file."""
        with self._unfinished(name) as unfinished:
            unfinished.write_bytes(content)

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        (self._top / name).unlink(missing_ok=True)

    @contextmanager
    def _unfinished(self, name: str) -> Iterator[Path]:
        """A file to write, which gets its name when it is complete."""
        path = self._top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f".{path.name}.{os.urandom(8).hex()}{_UNFINISHED}")
        try:
            yield unfinished
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)


class Bucket:
    """Object storage, or anything else that fsspec reaches through a URL."""

    def __init__(self, place: str) -> None:
        self.place = place.rstrip("/")
        self._scheme = place.partition("://")[0]
        self._system, self._top = _opened(place)

    def files(self, under: str = "") -> list[Stored]:
        """All files, or those in a folder, by name. A place that is a single file has one, without a name."""
        top = self._path(under)
        found = self._tried(lambda: self._found(top), top)
        start = len(self._top) + 1
        named = ((path.lstrip("/")[start:], info) for path, info in found.items() if not path.endswith("/"))
        return sorted((_stored(name, info) for name, info in named), key=lambda one: one.name)

    def _found(self, top: str) -> dict[str, Any]:
        """What is below a path. Some kinds of storage find nothing there, others say that it does not exist."""
        try:
            found: dict[str, Any] = self._system.find(top, detail=True, refresh=True)
            return found
        except FileNotFoundError:
            return {}

    def fetch(self, name: str, target: Path) -> None:
        """Download a file."""
        self._tried(lambda: self._system.get_file(self._path(name), str(target)), name)

    def put(self, source: Path, name: str) -> None:
        """Upload a file."""
        self._tried(lambda: self._system.put_file(str(source), self._path(name)), name)

    def read(self, name: str) -> bytes | None:
        """A small file; None if there is none."""
        content: bytes | None = self._tried(lambda: self._content(self._path(name)), name)
        return content

    def _content(self, path: str) -> bytes | None:
        try:
            content: bytes = self._system.cat_file(path)
            return content
        except FileNotFoundError:
            return None

    def write(self, name: str, content: bytes) -> None:
        """Store a small file."""
        self._tried(lambda: self._system.pipe_file(self._path(name), content), name)

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        if self._tried(lambda: self._system.exists(self._path(name)), name):
            self._tried(lambda: self._system.rm_file(self._path(name)), name)

    def _path(self, name: str) -> str:
        return f"{self._top}/{name}" if name else self._top

    def _tried(self, action: Callable[[], Any], name: str) -> Any:
        """Each kind of storage has errors of its own; here they become one."""
        try:
            return action()
        except FileNotFoundError as error:
            raise UnreadableError(f"{self.place}: there is no {name}") from error
        except Exception as error:
            raise UnreadableError(f"{self.place}: {error}") from error


def _stored(name: str, info: dict[str, Any]) -> Stored:
    changed = info.get("LastModified") or info.get("mtime") or info.get("last_modified") or info.get("updated")
    version = info.get("ETag") or info.get("etag") or info.get("md5Hash") or info.get("blob_id") or changed or ""
    at = changed.timestamp() if isinstance(changed, datetime) else changed
    return Stored(name, int(info.get("size") or 0), str(version).strip('"'), at if isinstance(at, float) else None)


def _opened(url: str) -> tuple[Any, str]:
    """The file system of a URL, and the path in it."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        needed = "`pip install 'headway-agents[s3]'`"
        raise UnreadableError(f"{readable(Path(url))}: URLs are opened with fsspec; {needed} installs it") from None
    try:
        system, top = url_to_fs(url)
    except (ImportError, ValueError) as error:  # fsspec says which package a protocol needs
        needed = "; `pip install 'headway-agents[s3]'` does" if url.startswith("s3:") else ""
        raise UnreadableError(f"{url}: {error}{needed}") from error
    return system, str(top).strip("/")
