"""Reads SQLite databases of running programs without changing them, with limits that depend on their size.

Nothing is written beside one. One without a log (`-wal`) is opened as it is. One in use also has an index of its log
(`-shm`), which is read. A log that was left over has none, and SQLite would make one, so the two files are copied. A
malicious database may expand enormously: by columns that are computed, by rows that are joined to thousands of
others, by pages that are referenced again and again. So values, rows and work are limited by the size of its files.
"""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from headway.sources.packed import DamagedError

LONGEST = 64 * 1024 * 1024
"""Bytes of the longest value that is read."""
ALWAYS = 1_000_000
"""Bytes that may be read of any database, and the length any value may have."""
SHARE = 4
"""How many times its own size may be read of a database; one that is read once comes to less than once."""
WORK = 20
"""Steps of SQLite's machine for each byte; reading a database takes about one."""
WORK_ALWAYS = 20_000_000
"""Steps that any database may take: less than a second."""
LONGEST_DEFAULT = 200
"""Characters of the longest value that rows may have without holding it."""
LARGEST_COPY = 1024 * 1024 * 1024
"""Bytes of the largest database that is copied, with its log."""

_AT_REST = "immutable=1"
_IN_USE = "mode=ro&readonly_shm=1"
_COPY = "mode=ro"
_CHECKED_EVERY = 10_000
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY name"
_SCHEMA = "SELECT sql FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY name"
_COLUMNS = "SELECT name, dflt_value, hidden FROM pragma_table_xinfo(?)"


class Database:
    """A database that can only be read."""

    def __init__(self, path: Path | None, content: bytes | None) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        if path is None or content is not None:
            self._size = len(content or b"")
            self._connection = sqlite3.connect(":memory:")
            self._connection.deserialize(_without_log(content or b""))
            self._limit()
        else:
            self._size = path.stat().st_size + _log_size(path)
            self._open(path)
        self._room = ALWAYS + SHARE * self._size
        self._work = WORK_ALWAYS + WORK * self._size
        self._connection.set_progress_handler(self._is_too_much, _CHECKED_EVERY)

    def rows(self, sql: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """The results of a query, row by row."""
        with self._explained():
            for row in self._connection.execute(sql, values):
                self._count(row)
                yield row

    def row(self, sql: str, place: int) -> tuple[Any, ...]:
        """The one row at a place."""
        with self._explained():
            row: tuple[Any, ...] | None = self._connection.execute(sql, (place,)).fetchone()
        if row is None:
            raise DamagedError(f"its row {place} is listed, but cannot be found")
        self._count(row)
        return row

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            if self._work < 0:
                raise DamagedError("it takes far more work to read than its size explains") from error
            raise

    def _count(self, row: tuple[Any, ...]) -> None:
        for value in row:
            self._room -= len(value) if isinstance(value, (str, bytes)) else 1
        if self._room < 0:
            raise DamagedError("it expands to far more than its size")

    def tables(self) -> tuple[str, ...]:
        """The names of its tables, without views and the like."""
        return tuple(str(name) for (name,) in self.rows(_TABLES))

    def require_stored(self, *tables: str) -> None:
        """Refuse tables whose rows are not stored as they are read, but computed."""
        for table in tables:
            for column, default, hidden in self.rows(_COLUMNS, table):
                if hidden or len(str(default or "")) > LONGEST_DEFAULT:
                    raise DamagedError(f"the column {column} of its table {table} is computed")

    @property
    def schema(self) -> str:
        """The statements that made its tables."""
        return "\n".join(str(sql) for (sql,) in self.rows(_SCHEMA))

    def close(self) -> None:
        """Close the database."""
        self._connection.close()
        self._remove_copy()

    def _remove_copy(self) -> None:
        if self._folder:
            self._folder.cleanup()

    def _open(self, path: Path) -> None:
        try:
            if not _log_size(path):
                self._connect(path, _AT_REST)
            elif _beside(path, "-shm").exists():
                self._connect(path, _IN_USE)
            else:
                self._connect(self._copy_of(path), _COPY)
        except BaseException:
            self._remove_copy()
            raise

    def _copy_of(self, path: Path) -> Path:
        """The database with its log in a temporary folder."""
        if self._size > LARGEST_COPY:
            what = f"a database of more than {LARGEST_COPY >> 20} MB with a left-over log (-wal)"
            raise DamagedError(f"{what}; open it with its program first")
        self._folder = tempfile.TemporaryDirectory(prefix="headway-")
        copy = Path(self._folder.name) / "copy.db"
        shutil.copyfile(path, copy)
        shutil.copyfile(_beside(path, "-wal"), _beside(copy, "-wal"))
        return copy

    def _connect(self, path: Path, mode: str) -> None:
        name = f"file:{quote(os.fsencode(path.absolute()))}?{mode}"
        self._connection = sqlite3.connect(name, uri=True, timeout=5)
        try:
            self._limit()
            self._connection.execute("SELECT 1 FROM sqlite_master LIMIT 1")
        except (sqlite3.Error, UnicodeDecodeError) as error:
            self._connection.close()
            if mode == _AT_REST or not isinstance(error, (sqlite3.OperationalError, UnicodeDecodeError)):
                raise
            self._connect(path, _AT_REST)  # its log cannot be read, or is gone by now

    def _limit(self) -> None:
        self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, min(max(ALWAYS, self._size), LONGEST))
        self._connection.execute("PRAGMA trusted_schema = OFF")
        self._connection.execute("PRAGMA query_only = ON")

    def _is_too_much(self) -> bool:
        self._work -= _CHECKED_EVERY
        return self._work < 0


def _without_log(content: bytes) -> bytes:
    """A database in memory has no write-ahead log, so its header must not ask for one."""
    return content[:18] + b"\x01\x01" + content[20:]


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _log_size(path: Path) -> int:
    log = _beside(path, "-wal")
    return log.stat().st_size if log.exists() else 0
