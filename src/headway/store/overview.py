"""All live sessions on this machine, for `headway status`, `headway watch` and reports."""

import json
import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from headway.store.errors import check_version
from headway.store.place import database, to_read

_PATIENCE = 2.0


class KeptFinding(msgspec.Struct, frozen=True, kw_only=True):
    """A finding of a session."""

    detector: str
    identity: str
    severity: str
    confidence: float
    message: str
    first_step: int
    last_step: int
    occurrences: int
    last_at: float


class KeptDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A decision of a session."""

    step: int
    at: float
    action: str
    reason: str
    message: str
    would: bool = False
    """Whether the mode prevented it: nothing was said, refused or stopped."""
    until_at: float | None = None
    """For a stop that the mode prevented: the last event of the turn that continued."""
    until_step: int | None = None


class KeptStep(msgspec.Struct, frozen=True, kw_only=True):
    """A step of a session."""

    number: int
    at: float | None
    tool: str
    kind: str
    title: str
    outcome: str
    """ok, failed or denied. A step in which tests failed has failed, whatever its exit code."""


class SessionOverview(msgspec.Struct, frozen=True, kw_only=True):
    """One session as the hook last left it."""

    host: str
    """The agent program: claude-code, codex, …"""
    session: str
    agent: str
    """Empty for the main agent, else the id of a sub-agent."""
    cwd: str
    prompt: str = ""
    """The beginning of the first prompt, with secrets masked."""
    transcript: str = ""
    """The file in which the program records it; empty if it does not say."""
    model: str | None
    started_at: float
    seen_at: float
    ended: bool
    steps: int
    last_tool: str | None
    turn_step: int = 0
    """The number of steps at the user's last message."""
    moment: str = ""
    """The kind of the last event: start, prompt, before, after, batch, turn end, …"""
    waiting: str = ""
    """What a person has to answer in the program itself, such as a question about a permission."""
    verdict: str
    """The strongest action since the user's last message: continue, nudge, block, stop, escalate."""
    tokens: int | None = None
    """Read and written, as far as telemetry reports them."""
    cost_usd: float | None = None
    revision: int = 0
    """How often the session was written."""
    off: bool
    findings: tuple[KeptFinding, ...] = ()
    """The latest first."""
    decisions: tuple[KeptDecision, ...] = ()
    """The latest first."""


def is_near(session: SessionOverview, folder: str) -> bool:
    """Whether a session started in a folder, below it or above it."""
    there, here = Path(os.path.realpath(session.cwd)), Path(folder)
    return bool(session.cwd) and (there.is_relative_to(here) or here.is_relative_to(there))


def list_sessions(path: str | Path | None = None, *, since: float = 0.0, limit: int = 100) -> list[SessionOverview]:
    """Sessions that were active since a time, latest first; empty if there is no database yet."""
    place = os.fspath(path or database())
    if not os.path.exists(place):
        return []
    with closing(open_database(place)) as connection:
        return [_overview(connection, row) for row in _rows(connection, since, limit)]


def open_database(path: str) -> sqlite3.Connection:
    """The database, read-only."""
    connection = sqlite3.connect(to_read(path), uri=True, timeout=_PATIENCE)
    try:
        check_version(connection)
    except BaseException:
        connection.close()
        raise
    connection.row_factory = sqlite3.Row
    return connection


def changed_sessions(
    connection: sqlite3.Connection, known: Mapping[int, int], *, since: float, limit: int
) -> tuple[dict[int, int], dict[int, SessionOverview]]:
    """The revision of each session that was active since a time, and those whose revision is not known yet."""
    found = {row["id"]: row["revision"] for row in _rows(connection, since, limit, "id, revision")}
    changed = [number for number, revision in found.items() if known.get(number) != revision]
    query = "SELECT * FROM sessions WHERE id = ?"
    rows = [row for number in changed for row in connection.execute(query, (number,))]
    return found, {row["id"]: _overview(connection, row) for row in rows}


def steps_of(connection: sqlite3.Connection, session: int, *, after: int = 0, latest: int = -1) -> list[KeptStep]:
    """The steps of a session after a number, or the latest of them, oldest first."""
    query = "SELECT * FROM steps WHERE session_id = ? AND number > ? ORDER BY number DESC LIMIT ?"
    rows = connection.execute(query, (session, after, latest)).fetchall()
    return [KeptStep(**_fields(KeptStep, row)) for row in reversed(rows)]


def _rows(connection: sqlite3.Connection, since: float, limit: int, columns: str = "*") -> list[sqlite3.Row]:
    try:
        query = f"SELECT {columns} FROM sessions WHERE seen_at >= ? ORDER BY seen_at DESC LIMIT ?"  # noqa: S608
        return connection.execute(query, (since, limit)).fetchall()
    except sqlite3.OperationalError as error:
        if "no such table" in str(error):  # it is being created
            return []
        raise


def _overview(connection: sqlite3.Connection, row: sqlite3.Row) -> SessionOverview:
    findings = connection.execute("SELECT * FROM findings WHERE session_id = ? ORDER BY last_at DESC", (row["id"],))
    decisions = connection.execute("SELECT * FROM decisions WHERE session_id = ? ORDER BY id DESC", (row["id"],))
    own = _fields(SessionOverview, row)
    return SessionOverview(
        **{**own, "ended": bool(row["ended"]), "off": json.loads(row["notes"]).get("off") is True},
        findings=tuple(KeptFinding(**_fields(KeptFinding, one)) for one in findings),
        decisions=tuple(map(_decision, decisions)),
    )


def _decision(row: sqlite3.Row) -> KeptDecision:
    fields = _fields(KeptDecision, row)
    return KeptDecision(**{**fields, "would": bool(fields.get("would"))})


def _fields(kind: type[msgspec.Struct], row: sqlite3.Row) -> dict[str, Any]:
    """The known columns; a newer Headway may have added others."""
    return {name: row[name] for name in kind.__struct_fields__ if name in row.keys()}  # noqa: SIM118
