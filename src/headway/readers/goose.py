"""Sessions of Goose: the database `~/.local/share/goose/sessions/sessions.db`, or older files `<name>.jsonl` beside it.

Such a file begins with a record about the session; in the database, that is in a table of its own.
"""

import sqlite3
from collections.abc import Iterator
from typing import Any

from headway.core import events
from headway.core.events import Event
from headway.rolling.forgiving import FAULTS, from_json
from headway.shapes.conversation import Conversation
from headway.shapes.message import arguments_of, output_of
from headway.shapes.values import Record, decoded, fields, items, text
from headway.sources import Head, Source, seconds
from headway.sources.packed import DamagedError

_BLOCKS = frozenset(("frontendToolRequest", "toolConfirmationRequest", "toolRequest", "toolResponse"))
_SESSIONS = "SELECT * FROM sessions ORDER BY rowid"
_COLUMNS = "SELECT name FROM pragma_table_info('sessions')"
_PLACES = "SELECT rowid FROM messages ORDER BY substr(session_id, 1, 200), CAST(created_timestamp AS REAL), rowid"
_MESSAGE = "SELECT session_id, role, content_json, created_timestamp FROM messages WHERE rowid = ?"


class Goose:
    """Sessions of Goose."""

    name = "goose"
    title = "Goose sessions"

    def recognises(self, head: Head) -> bool:
        """By the tables of the database, or by what begins a file: counts and a folder, or a message with its calls."""
        if head.is_database:
            return {"sessions", "messages", "schema_version"} <= set(head.names)
        first = head.first
        if "working_dir" in first and "accumulated_total_tokens" in first:
            return True
        kinds = {text(fields(block).get("type")) for block in items(first.get("content"))}
        return {"role", "created", "content"} <= first.keys() and bool(kinds & _BLOCKS)

    def read(self, source: Source) -> Iterator[Event]:
        """One run, or all sessions of a database."""
        return _database(source) if source.head().is_database else _lines(source)


def _lines(source: Source) -> Iterator[Event]:
    session = _Session({})
    for number, record in enumerate(source.records()):
        if number == 0 and "content" not in record:
            session = _Session(record)
            yield from session.start()
        elif "role" not in record:
            source.skip("not a message")
        else:
            yield from session.message(text(record.get("role")), record.get("content"), record.get("created"))
    yield from session.end()


def _database(source: Source) -> Iterator[Event]:
    try:
        with source.database() as database:
            database.require_stored("sessions", "messages")
            columns = [text(name) for (name,) in database.rows(_COLUMNS)]
            about = [dict(zip(columns, row, strict=False)) for row in database.rows(_SESSIONS)]
            known = {text(one.get("id")): one for one in about}
            session: _Session | None = None
            for (place,) in database.rows(_PLACES):
                name, role, content, created = database.row(_MESSAGE, place)
                if session is None or name != session.talk.run:
                    yield from session.end() if session else ()
                    session = _Session({"id": name, **known.get(text(name), {})})
                    yield from session.start()
                try:
                    yield from session.message(text(role), from_json(content, list[Any]), created)
                except (*FAULTS, TypeError) as error:  # a row that is not text
                    source.skip(str(error))
            yield from session.end() if session else ()
    except (sqlite3.Error, DamagedError) as error:
        source.skip(f"the database cannot be read: {error}")


class _Session:
    """One session, and what is known of it beside its messages."""

    def __init__(self, about: Record) -> None:
        self.about = about
        self.talk = Conversation(text(about.get("id")))

    def start(self) -> Iterator[Event]:
        model = fields(decoded(self.about.get("model_config_json"))).get("model_name")
        yield self.talk.started(model, "goose", self.about.get("working_dir"), seconds(self.about.get("created_at")))

    def end(self) -> Iterator[Event]:
        """What the session used, because messages do not contain it."""
        about = self.about
        usage = {
            "input_tokens": about.get("accumulated_input_tokens"),
            "output_tokens": about.get("accumulated_output_tokens"),
        }
        yield from self.talk.used(usage, about.get("accumulated_cost"), seconds(about.get("updated_at")))

    def message(self, role: str, content: object, created: object) -> Iterator[Event]:
        talk, at, batch = self.talk, seconds(created), self.talk.turn()
        for block in map(fields, items(content)):
            kind, call = block.get("type"), text(block.get("id"))
            if kind == "text" and text(block.get("text")):
                spoke = events.UserSpoke if role == "user" else events.AgentSpoke
                yield spoke(run=talk.run, at=at, text=block["text"])
            elif kind in ("toolRequest", "frontendToolRequest"):
                asked = fields(block.get("toolCall"))
                asked = fields(asked.get("value")) or asked
                yield talk.asked(call, text(asked.get("name")), arguments_of(asked.get("arguments")), batch, at)
            elif kind == "toolResponse":
                yield self._answer(call, fields(block.get("toolResult")), at)

    def _answer(self, call: str, result: Record, at: float | None) -> Event:
        value = result.get("value")
        inner = fields(value)
        code = fields(inner.get("structuredContent")).get("exit_code")
        failed = result.get("status") == "error" or inner.get("isError") is True
        output = output_of(inner.get("content") if "content" in inner else value) or text(result.get("error"))
        return self.talk.answered(call, "", output, failed, code if type(code) is int else None, at)
