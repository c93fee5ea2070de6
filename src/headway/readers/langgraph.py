"""Checkpoints of LangGraph in a SQLite database (`SqliteSaver`): what was written to the channel `messages`.

Every write stands once in the table `writes`; checkpoints repeat the whole conversation. Messages are MessagePack, with
Python objects in extension types; of these only the names and fields of LangChain's messages are looked at.
"""

import sqlite3
from collections.abc import Iterator
from typing import Any

import msgspec

from headway.core.events import Event
from headway.shapes.conversation import Conversation
from headway.shapes.message import is_message, read_message
from headway.shapes.values import Record, fields, items, text
from headway.sources import Head, Source
from headway.sources.packed import DamagedError

_WRITES = """SELECT rowid FROM writes WHERE channel = 'messages'
    ORDER BY substr(thread_id, 1, 200), substr(checkpoint_ns, 1, 200), substr(checkpoint_id, 1, 100), task_path, idx"""
_WRITE = "SELECT thread_id, checkpoint_ns, checkpoint_id, type, value FROM writes WHERE rowid = ?"
_DEEPEST = 8
_EPOCH = 0x01B21DD213814000
"""From 1582, where the time in a UUID begins, to 1970, in tenths of microseconds."""


class Langgraph:
    """Threads of LangGraph agents."""

    name = "langgraph"
    title = "LangGraph checkpoints (SQLite)"

    def recognises(self, head: Head) -> bool:
        """By its two tables."""
        return head.is_database and {"checkpoints", "writes"} <= set(head.names)

    def read(self, source: Source) -> Iterator[Event]:
        """Every thread is a run; a graph inside of a graph is a sub-agent."""
        try:
            with source.database() as database:
                database.require_stored("writes")
                talk, told, before = Conversation(), set[str](), None
                for (place,) in database.rows(_WRITES):
                    thread, space, checkpoint, kind, value = database.row(_WRITE, place)
                    if (thread, space) != before:
                        before, told = (thread, space), set()
                        talk = Conversation(text(thread), text(space))
                        yield talk.started(None, None, at=_time(checkpoint))
                    for message in _messages(kind, value, source):
                        if (id := text(message.get("id"))) not in told or not id:
                            told.add(id)
                            yield from _events(message, talk, _time(checkpoint))
        except (sqlite3.Error, DamagedError) as error:
            source.skip(f"the database cannot be read: {error}")


def _events(message: Record, talk: Conversation, at: float | None) -> Iterator[Event]:
    yield from talk.answered_by(fields(message.get("response_metadata")).get("model_name"), at=at)
    yield from talk.take(read_message(message), at)
    yield from talk.used(message.get("usage_metadata"), at=at)


def _messages(kind: object, value: object, source: Source) -> Iterator[Record]:
    """The messages of one write: a list of them, or one; each an object, a pair of role and text, or a mapping."""
    if kind != "msgpack" or not isinstance(value, bytes):
        source.skip(f"a value of the kind {text(kind)!r}")
        return
    try:
        found = _unpacked(value)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        source.skip(str(error))
        return
    for one in found if isinstance(found, list) else (found,):
        message = {"role": one[0], "content": one[1]} if isinstance(one, list) and len(one) == 2 else fields(one)
        if is_message(message):
            yield message


def _unpacked(value: bytes | memoryview, depth: int = 0) -> Any:
    def extension(code: int, data: memoryview) -> Any:
        """A Python object: where its class is, what it is called, and its fields."""
        inner = items(_unpacked(data, depth + 1)) if depth < _DEEPEST else []
        return inner[2] if len(inner) > 2 else None

    return msgspec.msgpack.decode(value, ext_hook=extension)


def _time(checkpoint: object) -> float | None:
    """When a checkpoint was made: its id is a UUID of version 6, which begins with the time."""
    digits = text(checkpoint).replace("-", "")
    if len(digits) != 32 or digits[12] != "6":
        return None
    try:
        return (int(digits[:12] + digits[13:16], 16) - _EPOCH) / 1e7
    except ValueError:
        return None
