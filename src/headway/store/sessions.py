"""Live sessions between two calls of a hook: one row for each (host, session, agent), in SQLite.

Every change is one transaction that begins with `BEGIN IMMEDIATE`: many hook processes write at the same time, and a
plain `BEGIN` would fail as soon as two of them had read. The journal is a rollback journal and not a write-ahead log,
because SQLite before 3.51.3 may damage a log that several processes write and reset. Nothing is forced to disk: a
killed process loses nothing by that, and after a power cut the worst case is a database that is put aside.

The read side for `headway status` is in `overview.py`.
"""

import json
import os
import sqlite3
import time

from headway.store.place import database, make_private

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would be felt
    from collections.abc import Iterable, Sequence
    from typing import Any

PATIENCE = 5.0
"""Seconds to wait for other processes; hosts give a hook 30 or more (Codex at the end of a session: 3)."""
KEPT_SESSIONS = 500
KEPT_DAYS = 30
RESUMABLE_DAYS = 7
"""Days after which a session that was not heard of begins anew when it is taken up again."""
VERSION = 1
"""Number of the latest migration."""

_LIGHT = "id, route, watchful, notes"
_FULL = "id, route, watchful, notes, settings_mark, written_by, verdict, monitor"
_DAY = 86_400.0


class Row:
    """One session as it was found; `id` is None for a new one."""

    def __init__(self, values: "Sequence[Any] | None") -> None:
        found = (*(values or (None, "", 0, "{}")), "", "", "continue", None)[:8] if len(values or ()) < 8 else values
        self.id, self.route, self.watchful, notes, self.settings_mark, self.written_by, self.verdict, self.monitor = (
            found or ()
        )
        self.notes: dict[str, Any] = json.loads(notes)


class SessionStore:
    """The database, opened for one hook call; a damaged one is put aside and begun anew."""

    def __init__(self, path: str | None = None) -> None:
        self.path = path or database()
        try:
            self._open()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and not _is_damage(error):
                raise
            self.put_aside()
            self._open()

    def _open(self) -> None:
        make_private(os.path.dirname(self.path))
        if not os.path.exists(self.path):
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
        self.connection = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
        self.connection.execute("PRAGMA synchronous = OFF")
        if self.connection.execute("PRAGMA user_version").fetchone()[0] < VERSION:
            from headway.store.migrate import migrate

            migrate(self.connection)

    def begin(self) -> None:
        """Begin a transaction; from now on nobody else writes."""
        self.connection.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """Keep what was written since `begin`."""
        self.connection.execute("COMMIT")

    def roll_back(self) -> None:
        """Forget what was written since `begin`."""
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    def close(self) -> None:
        """Leave the database."""
        self.connection.close()

    def put_aside(self) -> None:
        """Move a damaged database out of the way, so that watching goes on with a new one."""
        if hasattr(self, "connection"):
            self.connection.close()
        for name in (self.path, self.path + "-journal"):
            if os.path.exists(name):
                os.replace(name, f"{name}.damaged")

    def find(self, key: "Sequence[str]", *, light: bool = False) -> Row:
        """The row of a (host, session, agent); a light one comes without the monitor."""
        columns = _LIGHT if light else _FULL
        query = f"SELECT {columns} FROM sessions WHERE host = ? AND session = ? AND agent = ?"  # noqa: S608
        return Row(self.connection.execute(query, key).fetchone())

    def keep_notes(self, row: Row) -> None:
        """Keep what the hook noted, and that the session is alive."""
        self.connection.execute(
            "UPDATE sessions SET notes = ?, seen_at = ? WHERE id = ?", (_json(row.notes), time.time(), row.id)
        )

    def keep(self, row: Row, key: "Sequence[str]", **values: "Any") -> None:
        """Keep a session: `values` are columns."""
        values |= {"notes": _json(row.notes), "seen_at": time.time()}
        if row.id is None:
            values |= dict(zip(("host", "session", "agent"), key, strict=True)) | {"started_at": values["seen_at"]}
            marks = ", ".join("?" * len(values))
            query = f"INSERT INTO sessions ({', '.join(values)}) VALUES ({marks})"  # noqa: S608
            row.id = self.connection.execute(query, tuple(values.values())).lastrowid
            self._prune()
        else:
            query = f"UPDATE sessions SET {', '.join(f'{name} = ?' for name in values)} WHERE id = ?"  # noqa: S608
            self.connection.execute(query, (*values.values(), row.id))

    def record_findings(self, row: Row, findings: "Iterable[Any]", step: int) -> None:
        """Keep what was found in a session, once for each identity."""
        self.connection.executemany(
            "INSERT INTO findings VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?) ON CONFLICT DO UPDATE SET "
            "severity = excluded.severity, confidence = excluded.confidence, message = excluded.message, "
            "last_step = excluded.last_step, last_at = excluded.last_at, occurrences = occurrences + 1",
            [
                (row.id, f.detector, f.identity, str(f.severity), f.confidence, f.message, step, step, time.time())
                for f in findings
            ],
        )

    def record_decision(self, row: Row, step: int, action: str, reason: str, message: str) -> None:
        """Keep what was decided."""
        self.connection.execute(
            "INSERT INTO decisions (session_id, step, at, action, reason, message) VALUES (?, ?, ?, ?, ?, ?)",
            (row.id, step, time.time(), action, reason, message),
        )

    def _prune(self) -> None:
        """Forget old sessions, and the memory of those that nobody takes up again."""
        now = time.time()
        old = (
            "SELECT id FROM sessions WHERE seen_at < ? OR id NOT IN "
            "(SELECT id FROM sessions ORDER BY seen_at DESC LIMIT ?)"
        )
        limits = (now - KEPT_DAYS * _DAY, KEPT_SESSIONS)
        for table in ("findings", "decisions"):
            self.connection.execute(f"DELETE FROM {table} WHERE session_id IN ({old})", limits)  # noqa: S608
        self.connection.execute(f"DELETE FROM sessions WHERE id IN ({old})", limits)  # noqa: S608
        self.connection.execute(
            "UPDATE sessions SET monitor = NULL WHERE seen_at < ? AND monitor IS NOT NULL",
            (now - RESUMABLE_DAYS * _DAY,),
        )


def _is_damage(error: sqlite3.Error) -> bool:
    """Whether an error says that the file is no usable database, rather than that it is busy or cannot be written."""
    return getattr(error, "sqlite_errorname", "").startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")) or "no such" in str(
        error
    )


def _json(notes: "dict[str, Any]") -> str:
    return json.dumps(notes, separators=(",", ":"))
