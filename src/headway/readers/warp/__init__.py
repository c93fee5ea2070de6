"""Conversations with Warp's agent: its database `warp.sqlite`.

A conversation has tasks, each a protocol buffer with messages. Tasks below the first are those of sub-agents. Tokens
are not reported, because Warp stores only a total for the whole conversation.
"""

import sqlite3
from collections.abc import Iterator

from headway.core.events import Event
from headway.readers.warp.messages import Messages
from headway.shapes.values import text
from headway.shapes.wire import Fields, WireError
from headway.sources import Head, Source
from headway.sources.packed import DamagedError

_PLACES = "SELECT rowid FROM agent_tasks ORDER BY substr(conversation_id, 1, 200), rowid"
_TASK = "SELECT conversation_id, task_id, task FROM agent_tasks WHERE rowid = ?"
_PARENT = 3
"""Where a task names its parent, in a message of its own."""
_MESSAGES = 5


class Warp:
    """Conversations with Warp's agent."""

    name = "warp"
    title = "Warp conversations (database)"

    def recognises(self, head: Head) -> bool:
        """By its tables."""
        return head.is_database and {"agent_conversations", "agent_tasks", "ai_queries"} <= set(head.names)

    def read(self, source: Source) -> Iterator[Event]:
        """Every conversation is a run."""
        try:
            with source.database() as database:
                database.require_stored("agent_tasks")
                for (place,) in database.rows(_PLACES):
                    run, name, task = database.row(_TASK, place)
                    yield from _task(text(run), text(name), task, source)
        except (sqlite3.Error, DamagedError) as error:
            source.skip(f"the database cannot be read: {error}")


def _task(run: str, name: str, data: object, source: Source) -> Iterator[Event]:
    try:
        task = Fields(data if isinstance(data, bytes) else b"\xff")
        parent = task.message(_PARENT).text(1)
        messages = Messages(run, name if parent else "")
        for raw in task.raw(_MESSAGES):
            try:
                yield from messages.take(Fields(raw))
            except WireError as error:
                source.skip(str(error))
    except WireError as error:
        source.skip(str(error))
