"""Recordings in object storage. Each is downloaded when it is read, and the copy is removed when it is closed."""

import os
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice, takewhile
from pathlib import Path, PurePosixPath

from headway.sources import BESIDE, NOT_ENTERED, may_be_recording
from headway.sources.head import Head
from headway.sources.source import Source
from headway.sources.storage import Storage, Stored, storage_at


class RemoteSource(Source):
    """A recording behind a URL: one file, or all files of a folder."""

    def __init__(self, place: str, name: str, files: tuple[Stored, ...], is_folder: bool = False) -> None:
        self.place = place
        """The URL that the names of the files belong to."""
        self.files = files
        """What is fetched: the recording, and what its reader looks for beside it."""
        self._file = name
        self._folder = is_folder
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        self.url = f"{place}/{name}" if name else place
        super().__init__(name=self.url)

    @property
    def path(self) -> Path | None:
        """The copy on this machine, below folders with the names that it has in the storage: some readers need them."""
        if self._copy is None:
            self._copy = _fetched(self.place, self.files)
        return _local(self._copy.name, self.place, self._file)

    @property
    def is_folder(self) -> bool:
        """Whether the recording is a folder of files."""
        return self._folder

    @property
    def size(self) -> int:
        """Bytes to download."""
        return sum(file.size for file in self.files)

    @property
    def version(self) -> str:
        """Changes whenever one of its files may have changed."""
        return " ".join(f"{file.name} {file.size} {file.version}" for file in self.files)

    @property
    def last_changed(self) -> float | None:
        """When the last of its files was changed."""
        return max((file.changed_at for file in self.files if file.changed_at is not None), default=None)

    def close(self) -> None:
        """Remove the copy."""
        if self._copy is not None:
            self._copy.cleanup()
            self._copy = None

    def __getstate__(self) -> dict[str, object]:
        return self.__dict__ | {"_copy": None}  # another process fetches its own


def remote_sources(url: str, is_recording: Callable[[Head], bool]) -> Iterator[RemoteSource]:
    """All recordings below a URL, or the one that it names."""
    found = storage_at(url).files()
    url = url.rstrip("/")
    if len(found) == 1 and not found[0].name:
        above, _, name = url.rpartition("/")
        yield RemoteSource(above, name, (_named(found[0], name),))
        return
    yield from _walk(url, _Folders(found), is_recording)


class _Folders:
    """The folders of a listing: which files are in each, and which names a reader would look at."""

    def __init__(self, files: list[Stored]) -> None:
        self.files: dict[str, list[Stored]] = defaultdict(list)
        self.names: dict[str, list[str]] = defaultdict(list)
        """The files of a folder and of the folders in it, relative to it."""
        for file in files:
            *folders, name = PurePosixPath(file.name).parts
            if NOT_ENTERED.intersection(folders):
                continue
            self.files["/".join(folders)].append(file)
            self.names["/".join(folders)].append(name)
            if folders:
                self.names["/".join(folders[:-1])].append(f"{folders[-1]}/{name}")
        self.sorted = sorted(self.names, key=lambda name: name.split("/"))

    def names_in(self, folder: str) -> tuple[str, ...]:
        """The names that a reader would look at."""
        return tuple(sorted(self.names[folder]))

    def below(self, place: int) -> int:
        """The number of folders, from this index on, that are at or below the one there."""
        top = self.sorted[place]
        following = islice(self.sorted, place, None)
        return sum(1 for _ in takewhile(lambda name: not top or f"{name}/".startswith(f"{top}/"), following))


def _walk(url: str, folders: _Folders, is_recording: Callable[[Head], bool]) -> Iterator[RemoteSource]:
    place = 0
    while place < len(folders.sorted):
        folder = folders.sorted[place]
        if is_recording(Head(names=partial(folders.names_in, folder))):
            inside = folders.sorted[place : place + folders.below(place)]
            files = tuple(file for name in inside for file in folders.files.get(name, ()))
            yield RemoteSource(url, folder, files, is_folder=True)
            place += len(inside)
            continue
        here = folders.files.get(folder, [])
        for file in here:
            if may_be_recording(PurePosixPath(file.name).name):
                yield RemoteSource(url, file.name, (file, *_companions(file, here)))
        place += 1


def _companions(file: Stored, neighbours: list[Stored]) -> Iterator[Stored]:
    """What a reader looks for beside a recording: its settings, and the log of a database."""
    name = PurePosixPath(file.name)
    wanted = {str(name.with_name(name.name.split(".")[0] + BESIDE)), f"{file.name}-wal"}
    return (one for one in neighbours if one.name in wanted and one is not file)


def _named(file: Stored, name: str) -> Stored:
    return Stored(name, file.size, file.version, file.changed_at)


def _local(top: str, place: str, name: str) -> Path:
    """The path for the copy of a file, always inside the temporary folder."""
    parts = PurePosixPath(place.partition("://")[2].strip("/"), name).parts
    return Path(top, *("_" if part in ("..", "/") else part for part in parts))


def _fetched(place: str, files: tuple[Stored, ...]) -> "tempfile.TemporaryDirectory[str]":
    """The files in a temporary folder, with their times."""
    storage = storage_at(place)
    copy = tempfile.TemporaryDirectory(prefix="headway-")
    try:
        for file in files:
            _fetch(storage, file, _local(copy.name, place, file.name))
    except BaseException:
        copy.cleanup()
        raise
    return copy


def _fetch(storage: Storage, file: Stored, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    storage.fetch(file.name, target)
    if file.changed_at is not None:
        os.utime(target, (file.changed_at, file.changed_at))
