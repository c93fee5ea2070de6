"""Sessions of Crush: the database `.crush/crush.db` in a project. An agent's sub-agents have sessions of their own.

A session's cost includes that of its sub-agents. Its counts of tokens are those of the last answer only, so they are
not used.
"""

import sqlite3
from collections.abc import Iterator
from typing import Any

from headway.core import events
from headway.core.events import Event
from headway.rolling.forgiving import FAULTS, from_json
from headway.shapes.conversation import Conversation
from headway.shapes.message import arguments_of
from headway.shapes.values import Record, fields, text
from headway.sources import Head, Source, seconds
from headway.sources.packed import DamagedError

_SESSIONS = "SELECT id, parent_session_id, cost, created_at FROM sessions"
_PLACES = "SELECT rowid FROM messages ORDER BY substr(session_id, 1, 200), CAST(created_at AS REAL), rowid"
_MESSAGE = "SELECT session_id, role, parts, model, created_at FROM messages WHERE rowid = ?"
_DEEPEST = 20


class Crush:
    """Sessions of Crush."""

    name = "crush"
    title = "Crush sessions (database)"

    def recognises(self, head: Head) -> bool:
        """By its tables; those of its migrations are named by the tool that makes them."""
        return head.is_database and {"sessions", "messages", "files", "goose_db_version"} <= set(head.names)

    def read(self, source: Source) -> Iterator[Event]:
        """Every session is a run, except those of sub-agents."""
        try:
            with source.database() as database:
                database.require_stored("sessions", "messages")
                known = {text(row[0]): row for row in database.rows(_SESSIONS)}
                talk: Conversation | None = None
                before: object = None
                for (place,) in database.rows(_PLACES):
                    name, role, parts, model, created = database.row(_MESSAGE, place)
                    if talk is None or name != before:
                        before, root = name, _root(text(name), known)
                        talk = Conversation(root, "" if root == name else text(name))
                        yield talk.started(None, "crush", at=seconds(created))
                        yield from _cost(talk, known)
                    yield from talk.answered_by(model, "crush", at=seconds(created))
                    try:
                        found = from_json(parts, list[Any])
                    except (*FAULTS, TypeError) as error:  # a row that is not text
                        source.skip(str(error))
                        continue
                    yield from _message(text(role), map(fields, found), talk, seconds(created))
        except (sqlite3.Error, DamagedError) as error:
            source.skip(f"the database cannot be read: {error}")


def _root(name: str, known: dict[str, Any]) -> str:
    """The session at the top, of which a sub-agent's session is a part."""
    for _ in range(_DEEPEST):
        parent = text(known[name][1]) if name in known else ""
        if not parent:
            break
        name = parent
    return name


def _cost(talk: Conversation, known: dict[str, Any]) -> Iterator[Event]:
    if not talk.agent and talk.run in known:
        yield from talk.used({}, known[talk.run][2])


def _message(role: str, parts: Iterator[Record], talk: Conversation, at: float | None) -> Iterator[Event]:
    batch = talk.turn()
    for part in parts:
        kind, data = part.get("type"), fields(part.get("data"))
        if kind == "text" and text(data.get("text")) and not data.get("hidden"):
            spoke = events.UserSpoke if role == "user" else events.AgentSpoke
            yield spoke(run=talk.run, agent=talk.agent, at=at, text=data["text"])
        elif kind == "tool_call":
            args = arguments_of(data.get("input"))
            yield talk.asked(text(data.get("id")), text(data.get("name")), args, batch, at)
        elif kind == "tool_result":
            failed = True if data.get("is_error") is True else None  # of a command that failed, only the text tells
            yield talk.answered(text(data.get("tool_call_id")), "", text(data.get("content")), failed, None, at)
