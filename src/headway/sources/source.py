"""Opens one recording, however it is stored, and counts what its reader skips."""

import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cached_property
from io import BufferedReader, BytesIO
from os import scandir
from pathlib import Path
from stat import S_ISDIR
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from headway.rolling.forgiving import FAULTS, decoder_of, from_json
from headway.sources.head import PARQUET, SIZE, SQLITE, ZIP, Head
from headway.sources.packed import (
    BUFFER,
    GZIP,
    LONGEST,
    PACKED,
    ZSTD,
    DamagedError,
    UnreadableError,
    beginning,
    lines_of,
    readable,
    unpacked,
    unpacked_bytes,
    whole,
)

if TYPE_CHECKING:
    from headway.sources.database import Database
    from headway.sources.table import Table

LARGEST = 256 * 1024 * 1024
"""The largest single document that is read: a JSON file that is one value, or a file in an archive."""

SMALL = 2 * 1024 * 1024
"""The largest file whose records are kept when they are gone through twice."""

SMALL_FILE = 2_000
"""Bytes of one file in a folder that is a recording, about."""

T = TypeVar("T")
P = TypeVar("P")


class Source:
    """One recording: a file, a folder, an archive, a database, or bytes from somewhere else."""

    url = ""
    """Where it is in object storage; empty if it is on this machine."""

    def __init__(self, path: Path | None = None, content: bytes | None = None, name: str = "") -> None:
        self._path = path
        self.name = name or (readable(path) if path else "-")
        """Its name, as text that can be printed and stored anywhere."""
        self.skipped = 0
        """Number of records that could not be read or are of an unknown kind."""
        self.first_fault = ""
        """Where the first of them was, and what was wrong with it."""
        self.broken_off = ""
        """Why it could not be read to its end, if it could not; what was read before counts."""
        self.missing = ""
        """What is missing although Headway needs it, and what to set so that it is recorded."""
        self.told_by = ""
        """Another recording with the same content, if there is one: then nothing is read from this one."""
        self.line = 0
        """The number of the current line; 0 if there are no lines."""
        self._content = content

    @property
    def path(self) -> Path | None:
        """Its path on this machine; None for bytes from somewhere else."""
        return self._path

    @property
    def size(self) -> int:
        """Bytes on disk; an estimate for a folder of small files."""
        try:
            if self.path is None:
                return len(self._content or b"")
            seen = self.path.stat()
            return SMALL_FILE * len(self.names) if S_ISDIR(seen.st_mode) and self.is_folder else seen.st_size
        except OSError:
            return 0

    @property
    def last_changed(self) -> float | None:
        """When it was last written to: the latest of its files; None if unknown."""
        path = self.path
        if path is None:
            return None
        log = path.with_name(f"{path.name}-wal")  # where a database keeps what is new
        files = [path / name for name in self.names] if self.is_folder else [path, log]
        try:
            return max((file.stat().st_mtime for file in files if file.exists()), default=None)
        except OSError:
            return None

    @property
    def version(self) -> str:
        """Changes whenever the content may have changed."""
        if self._content is not None:
            from hashlib import sha256  # loads OpenSSL, and few ask

            return sha256(self._content).hexdigest()
        return f"{self.size} {self.last_changed}"

    def close(self) -> None:
        """Remove what was downloaded to read it."""

    @classmethod
    def stdin(cls) -> "Source":
        """Everything that comes in on standard input."""
        return cls(content=sys.stdin.buffer.read())

    def start_over(self) -> None:
        """Forget what was skipped, because it is read again from its beginning, perhaps by another reader."""
        self.skipped, self.first_fault, self.broken_off, self.told_by, self.line = 0, "", "", "", 0
        self.missing = ""

    def skip(self, why: str = "not understood") -> None:
        """Count a record that could not be read; the place and the reason of the first one are stored."""
        self.skipped += 1
        self.first_fault = self.first_fault or (f"line {self.line}: {why}" if self.line else why)

    def open(self, buffer: int = BUFFER) -> BufferedReader | BytesIO:
        """The uncompressed bytes, with a buffer of this size."""
        if self._content is not None or self.path is None:
            return unpacked_bytes(self._content or b"", self.name)
        return unpacked(self.path, buffer)

    def head(self) -> Head:
        """The beginning, enough to recognise a format."""
        try:
            with self.open(0) as file:
                data, fault = beginning(file, SIZE)
        except OSError:
            if not self.is_folder:
                raise
            return Head(names=lambda: self.names)
        return Head(data, names=lambda: self._names_in(data), schema=self._schema, fault=fault)

    def outline(self, head: Head) -> Head | None:
        """The same beginning with long texts cut short, where a document's first value goes on beyond the head."""
        if not head.breaks_off:
            return None
        from headway.sources.outline import outline

        try:
            with self.open() as file:
                return Head(outline(file, 4 * SIZE))
        except DamagedError:
            return None

    def lines(self, blank: bool = False) -> Iterator[bytes]:
        """The lines, each with its line break, as far as they can be read; blank ones only if `blank` is set."""
        try:
            with self.open() as file:
                for self.line, line in enumerate(lines_of(file), 1):
                    if line is None:
                        self.skip(f"longer than {LONGEST >> 20} MB")
                    elif blank or not line.isspace():
                        yield line
        except DamagedError as error:
            self.skip(str(error))

    @overload
    def records(self) -> Iterator[dict[str, Any]]: ...
    @overload
    def records(self, kind: type[T]) -> Iterator[T]: ...
    def records(self, kind: Any = dict[str, Any]) -> Iterator[Any]:
        """The JSON objects of a file with one on each line, decoded as `kind`; anything else is skipped and counted."""
        decode = decoder_of(kind).decode
        for line in self.lines():
            try:
                record = decode(line)
            except FAULTS:
                try:
                    record = from_json(line, kind)
                except FAULTS as error:
                    self.skip(str(error))
                    continue
            yield record

    def twice(self, kind: type[T], part: type[P]) -> tuple[Iterable[P], Iterable[T]]:
        """The records twice: first to look ahead, which counts nothing as skipped, then to read.

        Those of a small file are decoded once. In a large one, looking ahead decodes only `part` of each record.
        """
        if self._is_small:
            ahead = Source(self.path, self._content)
            kept = [(ahead.line, record) for record in ahead.records(kind)]
            if not ahead.skipped:
                return cast(list[P], [record for _, record in kept]), self._again(kept)
        return Source(self.path, self._content).records(part), self.records(kind)

    def _again(self, kept: list[tuple[int, T]]) -> Iterator[T]:
        for self.line, record in kept:
            yield record

    @property
    def _is_small(self) -> bool:
        if self._content is not None or self.path is None:
            return len(self._content or b"") <= SMALL and not self._is_packed
        return not self._is_packed and self.path.stat().st_size <= SMALL

    @property
    def _is_packed(self) -> bool:
        if self._content is not None or self.path is None:
            return (self._content or b"").startswith((GZIP, ZSTD))
        return self.path.suffix in PACKED

    def document(self, kind: type[T]) -> T | None:
        """A file that is one JSON value, decoded as `kind`; None if it is not, which is counted."""
        try:
            with self.open() as file:
                data = whole(file, LARGEST + 1)
            if len(data) <= LARGEST:
                return from_json(data, kind)
            self.skip(f"larger than {LARGEST >> 20} MB")
        except (*FAULTS, DamagedError) as error:
            self.skip(str(error))
        return None

    @property
    def is_folder(self) -> bool:
        """Whether the recording is a folder of files."""
        return self._content is None and self.path is not None and self.path.is_dir()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Its content by name: files of a folder and its subfolders or of a zip, tables of a database, columns."""
        if self.is_folder and self.path:
            return tuple(sorted(_files_in(self.path)))
        return self._names_in(self.head().data)

    def _names_in(self, start: bytes) -> tuple[str, ...]:
        from headway.sources import archive  # most recordings are plain files

        try:
            if start.startswith(ZIP):
                if self._is_packed:
                    raise DamagedError("an archive inside a compressed file; unpack it first (gunzip, unzstd)")
                with archive.unzipped(self.open()) as files:
                    return tuple(files.files)
            if start.startswith(SQLITE):
                with self.database() as database:
                    return database.tables()
            if start.startswith(PARQUET):
                return self._columns()
        except (*archive.FAULTS, sqlite3.Error) as error:
            self.skip(str(error))
            self.broken_off = str(error) if isinstance(error, DamagedError) else ""
        return ()

    def _schema(self) -> str:
        try:
            with self.database() as database:
                return database.schema
        except (DamagedError, sqlite3.Error) as error:
            self.skip(str(error))
            return ""

    def _columns(self) -> tuple[str, ...]:
        try:
            with self.table() as table:
                return table.names
        except UnreadableError:  # a folder may have tables that are no recordings, and pyarrow may not be there
            return ()

    def member(self, name: str) -> "Source":
        """One file of a folder or zip as a source of its own; `count_in` adds what it had to skip."""
        full = f"{self.name}/{name}"
        if self.is_folder and self.path and (self.path / name).exists():
            return Source(self.path / name, name=full)
        before = self.skipped
        for found in () if self.is_folder else self.members(lambda one: one == name):
            return found
        if before == self.skipped:
            self.skip(f"{name}: there is no such file in it")
        return Source(content=b"", name=full)

    def members(self, wanted: Callable[[str], bool]) -> Iterator["Source"]:
        """The requested files of a zip, one after the other; those that cannot be unpacked are counted."""
        from headway.sources import archive

        try:
            with archive.unzipped(self.open()) as files:
                for name in filter(wanted, files.files):
                    try:
                        content = files.content(name, LARGEST)
                    except archive.FAULTS as error:
                        self.skip(f"{name}: {error}")
                    else:
                        yield Source(content=content, name=f"{self.name}/{name}")
        except archive.FAULTS as error:
            self.skip(str(error))

    def count_in(self, member: "Source") -> None:
        """Add what a member had to skip."""
        self.skipped += member.skipped
        if member.first_fault:
            self.first_fault = self.first_fault or f"{member.name}: {member.first_fault}"

    @contextmanager
    def database(self) -> "Iterator[Database]":
        """A SQLite database, opened so that nothing in it changes; a compressed one is unpacked into memory."""
        from headway.sources.database import Database

        try:
            with closing(Database(self.path, self._unpacked() if self._is_packed else self._content)) as database:
                yield database
        except UnicodeDecodeError as error:  # SQLite quotes what is damaged in its complaint, whatever bytes it is
            raise sqlite3.DatabaseError("it is damaged") from error

    @contextmanager
    def table(self) -> "Iterator[Table]":
        """A Parquet file."""
        from headway.sources.table import Table

        content = self._unpacked() if self._is_packed else self._content
        with closing(Table(self.path, content, self.name)) as table:
            yield table

    def _unpacked(self) -> bytes:
        with self.open() as file:
            data = whole(file, LARGEST + 1)
        if len(data) > LARGEST:
            size = f"{LARGEST >> 20} MB"
            raise DamagedError(f"a compressed database of more than {size}; unpack it first (gunzip, unzstd)")
        return data


def _files_in(folder: Path, deeper: bool = True) -> Iterator[str]:
    """Names of the files of a folder and of the folders in it, as far as they may be looked at."""
    with suppress(PermissionError), scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):  # a loop of links, say: the others are still listed
                if entry.is_file():
                    yield entry.name
                elif deeper and entry.is_dir():
                    yield from (f"{entry.name}/{name}" for name in _files_in(Path(entry), deeper=False))
