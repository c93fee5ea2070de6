"""OpenCode: its database `~/.local/share/opencode/opencode.db`, `opencode export`, and `opencode run --format json`.

Versions before 1.2 had a folder `storage` in place of the database, with a file for each session, message and part. All
of these hold the same parts of messages. A message of the agent is one answer of the model: its calls belong together.
A sub-agent has a session of its own that names its parent.
"""

import sqlite3
from collections.abc import Iterator

import msgspec
from msgspec import Struct, field

from headway.core.events import Event
from headway.readers.opencode.parts import Info, MessagePart, Time
from headway.readers.opencode.session import Session
from headway.readers.opencode.storage import is_storage, read_storage
from headway.rolling.forgiving import FAULTS, from_json
from headway.sources import Head, Source
from headway.sources.packed import DamagedError

_LINES = frozenset(("step_start", "text", "tool_use", "step_finish", "error", "reasoning"))
_SESSIONS = "SELECT id, parent_id, directory FROM session"
_ORDER = """WITH parts AS MATERIALIZED
        (SELECT rowid AS place, substr(message_id, 1, 100) AS message, substr(id, 1, 100) AS id FROM part)
    SELECT message.rowid, parts.place FROM message LEFT JOIN parts ON parts.message = substr(message.id, 1, 100)
    ORDER BY substr(session_id, 1, 100), CAST(time_created AS REAL), substr(message.id, 1, 100), parts.id"""
"""Where messages and their parts are, in order. What they hold is fetched one by one: sorted, it could fill a disk."""
_MESSAGE = "SELECT session_id, id, data FROM message WHERE rowid = ?"
_PART = "SELECT data FROM part WHERE rowid = ?"


class _Message(Struct, gc=False):
    info: Info
    parts: list[MessagePart] = []


class _SessionInfo(Struct, gc=False):
    id: str = ""
    parent: str | None = field(default=None, name="parentID")
    directory: str | None = None


class _Export(Struct, gc=False):
    info: _SessionInfo
    messages: list[msgspec.Raw] = []


class _Line(Struct, gc=False):
    type: str = ""
    session: str = field(default="", name="sessionID")
    timestamp: float | None = None
    part: MessagePart | None = None


class Opencode:
    """Sessions of OpenCode."""

    name = "opencode"
    title = "OpenCode (database, export, run --format json)"

    def recognises(self, head: Head) -> bool:
        """By the tables of the database, or by the prefixes of its ids."""
        if head.is_database:
            return {"session", "message", "part", "project"} <= set(head.names)
        if not head.data:
            return is_storage(head.names)
        first = head.first
        info = first.get("info")
        is_export = isinstance(info, dict) and "messages" in first and {"id", "directory", "projectID"} <= info.keys()
        return is_export or (str(first.get("type")) in _LINES and {"sessionID", "timestamp"} <= first.keys())

    def read(self, source: Source) -> Iterator[Event]:
        """The events of one session, or of all sessions in a database."""
        head = source.head()
        if head.is_database:
            return _from_database(source)
        if source.is_folder:
            return read_storage(source)
        return _from_export(source) if "info" in head.first else _from_lines(source)


def _from_database(source: Source) -> Iterator[Event]:
    try:
        with source.database() as database:
            database.require_stored("session", "message", "part")
            known = {str(id): (parent, folder) for id, parent, folder in database.rows(_SESSIONS)}
            session, message = Session("", known, source), None
            for place, part in database.rows(_ORDER):
                try:
                    if place != message:
                        message = place
                        name, id, info = database.row(_MESSAGE, place)
                        if name != session.name:
                            yield from session.flush()
                            session = Session(str(name), known, source)
                        yield from session.message(from_json(info, Info), str(id))
                    if part is not None:
                        yield from session.part(from_json(database.row(_PART, part)[0], MessagePart))
                except (*FAULTS, TypeError, sqlite3.OperationalError) as error:  # one row that is not text
                    source.skip(str(error))
            yield from session.flush()
    except (sqlite3.Error, DamagedError) as error:
        source.skip(f"the database cannot be read: {error}")


def _from_export(source: Source) -> Iterator[Event]:
    export = source.document(_Export)
    if export is None:
        return
    info = export.info
    session = Session(info.id, {info.id: (info.parent, info.directory)}, source)
    for raw in export.messages:
        try:
            message = from_json(raw, _Message)
        except FAULTS as error:
            source.skip(str(error))
            continue
        yield from session.message(message.info, message.info.id)
        for part in message.parts:
            yield from session.part(part)
    yield from session.flush()


def _from_lines(source: Source) -> Iterator[Event]:
    sessions: dict[str, Session] = {}
    for line in source.records(_Line):
        session = sessions.setdefault(line.session, Session(line.session, {}, source))
        if line.type not in _LINES:
            source.skip(f"unknown type {line.type!r}")
        elif line.part is not None:
            if line.part.message != session.id:
                created = Time(created=line.timestamp)
                yield from session.message(Info(role="assistant", time=created), line.part.message)
            yield from session.part(line.part)
    for session in sessions.values():
        yield from session.flush()
