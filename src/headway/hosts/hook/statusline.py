"""`headway statusline`: the state, cost and minutes of one Claude Code session, for its status line.

Claude Code runs this several times a minute, with JSON about the session on stdin. Like the hook it does as little as
possible: it reads one row of the database, and prints nothing if there is a fault. It writes only the cost of a session
whose money or tokens are limited, when it has changed.
"""

import _sqlite3 as sqlite3  # see store/errors.py
import json
import os
import sys
import time

from headway.store.place import database, to_read
from headway.store.states import LOOPING, NEEDS_YOU, open_finding, state_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

USAGE = """Usage: headway statusline

Print the state of a Claude Code session (needs you, looping, working, idle), what it has cost and how many minutes it
has lasted. Claude Code runs this and passes JSON on stdin; `headway install claude-code --statusline` sets it up. The
cost is the one that Claude Code reports.
"""
PATIENCE = 0.2
"""Seconds to wait for the database."""
MAX_DOLLARS = 1e9
"""A larger cost is implausible."""
_LATEST = 20
"""Maximum number of findings and decisions to read."""
_COLOURS = {NEEDS_YOU: "\033[33m", LOOPING: "\033[31m"}
_PLAIN = "\033[0m"


class _Record:
    """A row of the database, with its columns as attributes."""

    findings: "list[_Record]" = []
    decisions: "list[_Record]" = []

    def __init__(self, names: "list[str]", values: "tuple[Any, ...]") -> None:
        self.__dict__.update(zip(names, values, strict=True))


def main(arguments: "list[str]") -> int:
    """Print one line; always 0."""
    if "--help" in arguments or "-h" in arguments:
        sys.stdout.write(USAGE)
        return 0
    try:
        sys.stdout.write(line(json.loads(sys.stdin.buffer.read()), time.time()) + "\n")
        sys.stdout.flush()
    except Exception as error:  # a fault of Headway must not reach the agent
        from headway.store.faults import note_once

        note_once("the status line failed", type(error).__name__)
    return 0


def line(data: "Mapping[str, Any]", now: float) -> str:
    """The status line of the session that Claude Code describes."""
    session = _stored(str(data.get("session_id") or ""))
    parts = [_state(session, now) if session is not None else "not watched yet"]
    cost = data.get("cost")
    told = cost if isinstance(cost, dict) else {}
    if isinstance(dollars := told.get("total_cost_usd"), (int, float)):
        parts.append(f"${dollars:.2f}")
        if session is not None and session.is_limited and 0 <= dollars < MAX_DOLLARS:
            _report(session, float(dollars), data.get("transcript_path"))
    if isinstance(milliseconds := told.get("total_duration_ms"), (int, float)):
        parts.append(f"{milliseconds / 60_000:.0f} min")
    return f"Headway: {' · '.join(parts)}"


def _state(session: "Any", now: float) -> str:
    state = state_of(session, now)
    about = open_finding(session) if state == LOOPING else None
    shown = f"{state} ({about.detector})" if about is not None else state
    off = ", Headway is off" if session.off else ""
    return f"{_COLOURS[state]}{shown}{_PLAIN}{off}" if state in _COLOURS else f"{shown}{off}"


def _report(session: "Any", dollars: float, transcript: "Any") -> None:
    """Store the cost for the hook, with the size of the transcript: the cost is that of what it has by now."""
    from headway.hosts.hook.transcript import size_of

    before = json.loads(session.reported) if session.reported else [None]
    if before[0] == dollars:
        return
    told = json.dumps([dollars, size_of(transcript) if isinstance(transcript, str) else 0])
    connection = sqlite3.connect(database(), timeout=PATIENCE, isolation_level=None)
    try:  # the revision tells the service that the row has changed
        connection.execute("UPDATE sessions SET reported = ?, revision = revision + 1 WHERE id = ?", (told, session.id))
    finally:
        connection.close()


def _stored(session: str) -> "Any | None":
    """The stored row of the main agent of a session; None if there is none."""
    path = database()
    if not session or not os.path.exists(path):
        return None
    connection = sqlite3.connect(to_read(path), uri=True, timeout=PATIENCE)
    try:
        about = "host = 'claude-code' AND session = ? AND agent = ''"
        wanted = "id, ended, waiting, verdict, seen_at, moment, steps, turn_step, notes, reported"
        found = _records(connection, wanted, "sessions", f"{about} LIMIT 1", session)
        for one in found:
            notes = json.loads(one.notes)
            one.off, one.is_limited = notes.get("off") is True, "usage" in notes
            one.findings = _records(
                connection, "detector, last_step, last_at", "findings",
                f"session_id = ? ORDER BY last_at DESC LIMIT {_LATEST}", one.id,
            )  # fmt: skip
            one.decisions = _records(
                connection, "reason, step", "decisions", f"session_id = ? ORDER BY id DESC LIMIT {_LATEST}", one.id
            )
        return found[0] if found else None
    finally:
        connection.close()


def _records(connection: sqlite3.Connection, wanted: str, table: str, where: str, value: "Any") -> "list[Any]":
    rows = connection.execute(f"SELECT {wanted} FROM {table} WHERE {where}", (value,))  # noqa: S608
    return [_Record(wanted.split(", "), row) for row in rows]
