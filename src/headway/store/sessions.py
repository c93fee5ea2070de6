"""Stores live sessions between two calls of a hook: one SQLite row for each (host, session, agent).

Every change is one transaction that starts with `BEGIN IMMEDIATE`: many hook processes write at the same time, and a
plain `BEGIN` would fail as soon as two of them had read. Transactions are short: a process with much to do reads a row,
does the work, and only then begins the transaction. If the row has changed meanwhile, it starts again inside of it.

The journal is a rollback journal and not a write-ahead log, because SQLite before 3.51.3 may damage a log that several
processes write and reset. Nothing is flushed to disk: a killed process loses nothing by that, and after a power cut the
worst case is a damaged database that is moved aside.

`overview.py` reads the sessions for `headway status`.
"""

import _sqlite3 as sqlite3  # see errors.py
import json
import os
import time

from headway.store.errors import SCHEMA_VERSION, check_version
from headway.store.place import database, make_private

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing takes noticeable time
    from collections.abc import Iterable, Sequence
    from typing import Any

PATIENCE = 5.0
"""Seconds to wait for other processes; hosts give a hook 30 or more (Codex at the end of a session: 3)."""
KEPT_SESSIONS = 500
KEPT_DAYS = 30
MAX_STEPS_PER_SESSION = 10_000
LONGEST_TITLE = 200
KEPT_DAMAGED = 9
"""Number of damaged databases to keep; after that the last one is overwritten."""
RESUMABLE_DAYS = 7
"""Days of inactivity after which a resumed session starts again."""

_COLUMNS = ("id", "revision", "route", "watchful", "notes", "settings_mark", "written_by", "verdict", "monitor",
            "prompt", "reported")  # fmt: skip
_LIGHT = 5
"""Number of columns to read if the monitor is not needed."""
_DAY = 86_400.0
NO_FILE = -1


class Row:
    """One session as it was read; `id` is None for a new one."""

    id: int | None = None
    revision = -1
    route = ""
    watchful = 0
    settings_mark = ""
    written_by = ""
    verdict = "continue"
    monitor: bytes | None = None
    prompt = ""
    reported = ""
    """What the program's status line says about the session's cost."""
    live: "Any" = None
    """The monitor, if the process that read this row has processed an event since."""

    def __init__(self, values: "Sequence[Any] | None") -> None:
        for name, value in zip(_COLUMNS, values or (), strict=False):
            setattr(self, name, value)
        self.notes: dict[str, Any] = json.loads(getattr(self, "notes", "{}"))

    def written(self, values: "dict[str, Any]") -> None:
        """Update the row after these columns were written, for a long-lived process."""
        for name in ("revision", "watchful", "settings_mark", "verdict", "prompt"):
            if name in values:
                setattr(self, name, values[name])


class SessionStore:
    """The database, opened for one hook call."""

    def __init__(self, path: str | None = None, patience: float | None = None) -> None:
        self.path = path or database()
        make_private(os.path.dirname(self.path))
        self.file = file_at(self.path, create=True)
        patience = PATIENCE if patience is None else patience
        self.connection = sqlite3.connect(self.path, timeout=patience, isolation_level=None)

    def prepare(self) -> None:
        """Update the tables. A damaged file is detected here."""
        self.connection.execute("PRAGMA synchronous = OFF")
        if check_version(self.connection) < SCHEMA_VERSION:
            from headway.store.migrate import migrate

            migrate(self.connection)

    def begin(self) -> None:
        """Begin a transaction. No other process can write until it ends."""
        self.connection.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """Commit the transaction."""
        self.connection.execute("COMMIT")

    def roll_back(self) -> None:
        """Roll back the transaction."""
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    def close(self) -> None:
        """Close the database."""
        self.connection.close()

    def put_aside(self) -> None:
        """Move a damaged database aside, unless another process has done so."""
        self.connection.close()
        if file_at(self.path) == self.file:
            ending = _free_ending(self.path)
            os.replace(self.path, f"{self.path}{ending}")
            if os.path.exists(f"{self.path}-journal"):
                os.replace(f"{self.path}-journal", f"{self.path}-journal{ending}")

    def find(self, key: "Sequence[str]", *, light: bool = False) -> Row:
        """The row of a (host, session, agent); a light one comes without the monitor."""
        columns = ", ".join(_COLUMNS[:_LIGHT] if light else _COLUMNS)
        query = f"SELECT {columns} FROM sessions WHERE host = ? AND session = ? AND agent = ?"  # noqa: S608
        return Row(self.connection.execute(query, key).fetchone())

    def look_at(self, folder: str) -> tuple[str, str]:
        """The fingerprint of the settings that apply in a folder, and its project."""
        from headway.config.fingerprint import settings_fingerprint
        from headway.store.answers import project_of

        return settings_fingerprint(folder), project_of(folder)

    def notes_of(self, host: str, session: str) -> "list[tuple[str, dict[str, Any]]]":
        """The notes of each agent of a session, in the order of their first events."""
        query = "SELECT agent, notes FROM sessions WHERE host = ? AND session = ? ORDER BY id"
        return [(agent, json.loads(notes)) for agent, notes in self.connection.execute(query, (host, session))]

    def is_current(self, row: Row, key: "Sequence[str]") -> bool:
        """Whether no other process has written this session since the row was read."""
        return self.find(key, light=True).revision == row.revision

    def keep_notes(self, row: Row, **values: "Any") -> None:
        """Store the notes of the hook and the time of the last activity; `values` are more columns."""
        values |= {"notes": _json(row.notes), "seen_at": time.time(), "revision": row.revision + 1}
        self._update(row, values)

    def keep(self, row: Row, key: "Sequence[str]", **values: "Any") -> None:
        """Store a session; `values` are columns."""
        values |= {"notes": _json(row.notes), "seen_at": time.time(), "revision": row.revision + 1}
        if row.id is None:
            values |= dict(zip(("host", "session", "agent"), key, strict=True)) | {"started_at": values["seen_at"]}
            marks = ", ".join("?" * len(values))
            query = f"INSERT INTO sessions ({', '.join(values)}) VALUES ({marks})"  # noqa: S608
            row.id = self.connection.execute(query, tuple(values.values())).lastrowid
            row.written(values)
            self._prune()
        else:
            self._update(row, values)

    def _update(self, row: Row, values: "dict[str, Any]") -> None:
        query = f"UPDATE sessions SET {', '.join(f'{name} = ?' for name in values)} WHERE id = ?"  # noqa: S608
        self.connection.execute(query, (*values.values(), row.id))
        row.written(values)

    def end_sub_agents(self, key: "Sequence[str]") -> None:
        """Mark a session and all its sub-agents as ended."""
        self.connection.execute("UPDATE sessions SET ended = 1 WHERE host = ? AND session = ?", tuple(key[:2]))

    def record_steps(self, row: Row, steps: "Iterable[Any]") -> None:
        """Store new steps; a session keeps its latest ones."""
        number = 0
        for step in steps:
            number, meaning = step.number, step.meaning
            title = (meaning.command or step.path or meaning.query or "")[:LONGEST_TITLE]
            has_failed = step.failed or (step.tests is not None and step.tests.failed)  # `pytest | tail` succeeds
            outcome = "denied" if step.denied else "failed" if has_failed else "ok"
            self.connection.execute(
                "INSERT OR REPLACE INTO steps VALUES (?, ?, ?, ?, ?, ?, ?)",
                (row.id, number, step.at, step.tool_name, step.kind, title, outcome),
            )
        if number > MAX_STEPS_PER_SESSION:
            query = "DELETE FROM steps WHERE session_id = ? AND number <= ?"
            self.connection.execute(query, (row.id, number - MAX_STEPS_PER_SESSION))

    def record_findings(self, row: Row, findings: "Iterable[Any]", step: int) -> None:
        """Store the findings of a session, once per identity."""
        self.connection.executemany(
            "INSERT INTO findings VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?) ON CONFLICT DO UPDATE SET "
            "severity = excluded.severity, confidence = excluded.confidence, message = excluded.message, "
            "last_step = excluded.last_step, last_at = excluded.last_at, occurrences = occurrences + 1",
            [
                (row.id, f.detector, f.identity, str(f.severity), f.confidence, f.message, step, step, time.time())
                for f in findings
            ],
        )

    def record_decision(
        self, row: Row, step: int, action: str, reason: str, message: str, *, would: bool = False
    ) -> None:
        """Store a decision; with `would`, one that the mode prevented."""
        self.connection.execute(
            "INSERT INTO decisions (session_id, step, at, action, reason, message, would) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (row.id, step, time.time(), action, reason, message, would),
        )

    def went_on(self, row: Row, step: int) -> None:
        """Store how far the agent continued after a stop that the mode prevented."""
        self.connection.execute(
            "UPDATE decisions SET until_at = ?, until_step = ? WHERE id = (SELECT max(id) FROM decisions "
            "WHERE session_id = ? AND would AND action IN ('stop', 'escalate'))",
            (time.time(), step, row.id),
        )

    def _prune(self) -> None:
        """Delete old sessions, and the saved state of inactive ones."""
        now = time.time()
        old = (
            "SELECT id FROM sessions WHERE seen_at < ? OR id NOT IN "
            "(SELECT id FROM sessions ORDER BY seen_at DESC LIMIT ?)"
        )
        limits = (now - KEPT_DAYS * _DAY, KEPT_SESSIONS)
        for table in ("steps", "findings", "decisions", "notices"):
            self.connection.execute(f"DELETE FROM {table} WHERE session_id IN ({old})", limits)  # noqa: S608
        self.connection.execute(f"DELETE FROM sessions WHERE id IN ({old})", limits)  # noqa: S608
        self.connection.execute(
            "UPDATE sessions SET monitor = NULL WHERE seen_at < ? AND monitor IS NOT NULL",
            (now - RESUMABLE_DAYS * _DAY,),
        )


def file_at(path: str, *, create: bool = False) -> int:
    """The inode of the file at a path, which changes when the file is replaced; `NO_FILE` if there is none."""
    try:
        return os.stat(path).st_ino
    except FileNotFoundError:
        if not create:
            return NO_FILE
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        return os.stat(path).st_ino


def _free_ending(path: str) -> str:
    """An unused suffix for a damaged database; the last one is reused if there are very many."""
    endings = [".damaged", *(f".damaged-{number}" for number in range(2, KEPT_DAMAGED + 1))]
    return next((ending for ending in endings if not os.path.lexists(path + ending)), endings[-1])


def _json(notes: "dict[str, Any]") -> str:
    return json.dumps(notes, separators=(",", ":"))
