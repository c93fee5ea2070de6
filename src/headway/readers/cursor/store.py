"""The database of a conversation: blobs by their hash, one of which lists the others in order.

What is in `meta` is JSON, written as hexadecimal digits. The list is a Protocol Buffer whose first field, repeated,
names the messages; these are JSON, in the shape of the Vercel AI SDK. Other fields are not read.
"""

import sqlite3
from collections.abc import Iterator
from typing import Any

from headway.core import events
from headway.core.events import Event
from headway.readers.cursor.words import spoken
from headway.rolling.forgiving import FAULTS, from_json
from headway.shapes.ai_sdk import read_ai_sdk
from headway.shapes.conversation import Conversation
from headway.shapes.values import Record, fields, text
from headway.sources import Source, seconds
from headway.sources.database import Database
from headway.sources.packed import DamagedError

_META = "SELECT substr(value, 1, 100000) FROM meta WHERE key = '0'"
_BLOB = "SELECT data FROM blobs WHERE id = ?"
_NAMES_A_MESSAGE = b"\x0a\x20"
"""The first field, with 32 bytes in it."""


def is_store(tables: tuple[str, ...]) -> bool:
    """Whether these are the tables of a conversation."""
    return {"blobs", "meta"} == set(tables)


def read_store(source: Source) -> Iterator[Event]:
    """The events of a conversation. Only the time when it began is recorded."""
    try:
        with source.database() as database:
            database.require_stored("meta", "blobs")
            about = _about(database)
            talk = Conversation(text(about.get("agentId")))
            at = seconds(about.get("createdAt"))
            yield talk.started(about.get("lastUsedModel"), "cursor", at=at)
            told: set[bytes] = set()
            for id in _listed(_blob(database, text(about.get("latestRootBlobId")))):
                if id not in told:
                    told.add(id)
                    yield from _message(_blob(database, id.hex()), talk, source)
    except (sqlite3.Error, DamagedError) as error:
        source.skip(f"the database cannot be read: {error}")


def _about(database: Database) -> Record:
    try:
        for (value,) in database.rows(_META):
            return fields(from_json(bytes.fromhex(value), object))
    except (*FAULTS, TypeError, ValueError):  # neither digits nor JSON
        pass
    return {}


def _blob(database: Database, id: str) -> bytes:
    for (data,) in database.rows(_BLOB, id):
        return data if isinstance(data, bytes) else text(data).encode()
    return b""


def _listed(root: bytes) -> Iterator[bytes]:
    """The ids at the beginning of the list, in order."""
    place = 0
    while root[place : place + 2] == _NAMES_A_MESSAGE and len(root) >= place + 34:
        yield root[place + 2 : place + 34]
        place += 34


def _message(blob: bytes, talk: Conversation, source: Source) -> Iterator[Event]:
    try:
        raw: dict[str, Any] = from_json(blob, dict[str, Any])
    except FAULTS as error:
        source.skip(str(error))
        return
    message = read_ai_sdk(raw)
    if message.role == "user":
        for said in spoken(message.texts):
            yield events.UserSpoke(run=talk.run, text=said)
        message.texts = []
    yield from talk.take(message)
