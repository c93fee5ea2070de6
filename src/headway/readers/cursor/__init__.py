"""Cursor: transcripts, the databases of its command line, and what `cursor-agent --output-format stream-json` prints.

Transcripts (`~/.cursor/projects/<project>/agent-transcripts/<id>/<id>.jsonl`) have calls without results. The databases
(`~/.cursor/chats/<project>/<id>/store.db`) have both.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from headway.core import events
from headway.core.events import Event
from headway.readers.cursor.store import is_store, read_store
from headway.readers.cursor.stream import is_stream, read_stream
from headway.readers.cursor.words import spoken
from headway.shapes.conversation import Conversation
from headway.shapes.message import read_message
from headway.shapes.values import Record, fields, text
from headway.sources import Head, Source, readable

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")


class Cursor:
    """Conversations of Cursor."""

    name = "cursor"
    title = "Cursor (transcripts, store.db, stream-json)"

    def recognises(self, head: Head) -> bool:
        """By the tables of the database, by a role beside a message that has none, or by the types of the stream."""
        if head.is_database:
            return is_store(head.names)
        return _is_line(head.first) or is_stream(head.first)

    def read(self, source: Source) -> Iterator[Event]:
        """One run."""
        head = source.head()
        if head.is_database:
            return read_store(source)
        return read_stream(source) if is_stream(head.first) else _transcript(source)


def _is_line(record: Record) -> bool:
    is_said = record.get("role") in ("user", "assistant") and record.keys() <= {"role", "message", "timestamp"}
    return is_said and fields(record.get("message")).keys() == {"content"}


def _database_of(source: Source, name: str) -> str:
    """The database of the same conversation, which has results as well; the command line writes both."""
    folders = source.path.absolute().parts if source.path else ()
    if not _ID.fullmatch(name) or "projects" not in folders:
        return ""
    top = Path(*folders[: len(folders) - 1 - folders[::-1].index("projects")])
    return next((readable(path) for path in sorted(top.glob(f"chats/*/{name}/store.db"))), "")


def _transcript(source: Source) -> Iterator[Event]:
    name = readable(source.path.stem) if source.path else ""
    source.told_by = _database_of(source, name)
    if source.told_by:
        return
    talk = Conversation(name if _ID.fullmatch(name) else "")
    yield talk.started(None, "cursor")
    for record in source.records():
        if record.get("type") == "turn_ended":
            continue
        if not _is_line(record):
            source.skip("neither a message nor the end of a turn")
            continue
        message = read_message({"role": text(record["role"]), **fields(record["message"])})
        if message.role == "user":
            for said in spoken(message.texts):
                yield events.UserSpoke(run=talk.run, text=said)
            message.texts = []
        yield from talk.take(message)
        for call in list(talk.open):
            yield talk.unrecorded(call)
