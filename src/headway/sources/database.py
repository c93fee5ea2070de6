"""SQLite databases of running programs, read without changing them.

One at rest is not touched at all. Of one in use, SQLite shares its index of the log (`-shm`), as every reader does.
"""

import os
import sqlite3
from pathlib import Path
from urllib.parse import quote

_AT_REST = "immutable=1"


def opened(path: Path | None, content: bytes | None) -> sqlite3.Connection:
    """A connection that can only read."""
    if path is None or content is not None:
        connection = sqlite3.connect(":memory:")
        connection.deserialize(_without_log(content or b""))
    else:
        connection = _connected(path, _mode(path))
    connection.execute("PRAGMA query_only = 1")
    return connection


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"file:{quote(os.fsencode(path.absolute()))}?{mode}", uri=True, timeout=5)
    try:
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1")
    except (sqlite3.OperationalError, UnicodeDecodeError):
        connection.close()
        if mode == _AT_REST:
            raise
        return _connected(path, _AT_REST)  # where nothing may be written beside it, its log cannot be read
    return connection


def _without_log(content: bytes) -> bytes:
    """A database in memory has no write-ahead log, so its header must not ask for one."""
    return content[:18] + b"\x01\x01" + content[20:]


def _mode(path: Path) -> str:
    """A database that is not being written is opened as immutable, so that no lock and no log file is made.

    What a running program has not yet moved from its write-ahead log is seen only by an ordinary reader.
    """
    log = path.with_name(path.name + "-wal")
    return "mode=ro" if log.exists() and log.stat().st_size else _AT_REST


def table_names(connection: sqlite3.Connection) -> tuple[str, ...]:
    """The tables in it."""
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    return tuple(str(name) for (name,) in rows)
