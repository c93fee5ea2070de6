"""States in a SQLite file, for workers on one machine."""

import os
import sqlite3
import time
from pathlib import Path
from threading import RLock

PATIENCE = 5.0
"""Seconds to wait for other processes that write."""
DAY = 86_400.0

_TABLE = """
CREATE TABLE IF NOT EXISTS conversations (
    key TEXT PRIMARY KEY,      -- conversation and agent
    version INTEGER NOT NULL,  -- counts the events that were processed
    state BLOB NOT NULL,
    changed REAL NOT NULL      -- when, in seconds since the epoch
) WITHOUT ROWID
"""


class SQLiteStore:
    """States in a file that only its owner can read. Conversations unused for `keep_days` are deleted."""

    def __init__(self, path: str | os.PathLike[str], keep_days: float = 30) -> None:
        self._path, self._keep = Path(path), keep_days * DAY
        self._lock = RLock()
        self._connection = self._open()

    def newer(self, key: str, than: int) -> tuple[int, bytes] | None:
        """The version and the state of a key, if its version differs from this one."""
        with self._lock:
            query = "SELECT version, state FROM conversations WHERE key = ? AND version <> ?"
            row: tuple[int, bytes] | None = self._connected().execute(query, (key, than)).fetchone()
            return row

    def swap(self, key: str, version: int, state: bytes) -> bool:
        """Replace the state that has this version; False if another worker was first."""
        now = time.time()
        with self._lock:
            if version == 0:
                query = "INSERT OR IGNORE INTO conversations VALUES (?, 1, ?, ?)"
                done = self._connected().execute(query, (key, state, now))
            else:
                query = "UPDATE conversations SET version = ?, state = ?, changed = ? WHERE key = ? AND version = ?"
                done = self._connected().execute(query, (version + 1, state, now, key, version))
            return done.rowcount == 1

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _connected(self) -> sqlite3.Connection:
        """A connection of this process, because one that was opened before a fork must not be used after it."""
        if self._process != os.getpid():
            self._connection = self._open()
        return self._connection

    def _open(self) -> sqlite3.Connection:
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
        connection = sqlite3.connect(self._path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA synchronous = OFF")  # a killed process still loses nothing
        connection.execute(_TABLE)
        connection.execute("DELETE FROM conversations WHERE changed < ?", (time.time() - self._keep,))
        self._process = os.getpid()
        return connection
