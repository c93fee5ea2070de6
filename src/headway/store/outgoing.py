"""Stores events that wait to be sent to other machines, in a bounded queue in the database of live sessions.

A hook queues an event in the transaction that stores its session. So an event is queued if and only if it counted, in
the right order, and no agent waits for a network. When the queue is full, new events are dropped and counted; those
already waiting stay.
"""

import sqlite3

import msgspec

from headway.store.place import database, to_read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LARGEST = 900_000
"""Maximum size of an event in bytes. A broker refuses messages of a megabyte."""


class OutgoingCounts(msgspec.Struct, frozen=True):
    """The state of the queue."""

    waiting: int
    bytes: int
    sent: int
    dropped: int

    @property
    def is_used(self) -> bool:
        """Whether an event was ever queued or dropped."""
        return bool(self.waiting or self.sent or self.dropped)

    def as_text(self) -> str:
        """The state in one line."""
        waiting = f"{self.waiting:,} events wait ({self.bytes / 1e6:.1f} MB)"
        return f"forwarding: {self.sent:,} events sent, {waiting}, {self.dropped:,} dropped"


def put(connection: sqlite3.Connection, events: "Iterable[tuple[str, bytes]]", most_bytes: int, lost: int = 0) -> None:
    """Queue events with their keys, within a transaction. `lost` is the number of events dropped before."""
    (size,) = connection.execute("SELECT bytes FROM outgoing_counts").fetchone()
    before, dropped = size, lost
    for key, event in events:
        if size + len(event) > most_bytes or len(event) > LARGEST:
            dropped += 1
            continue
        connection.execute("INSERT INTO outgoing (key, event) VALUES (?, ?)", (key, event))
        size += len(event)
    connection.execute("UPDATE outgoing_counts SET bytes = bytes + ?, dropped = dropped + ?", (size - before, dropped))


def next_events(connection: sqlite3.Connection, limit: int, after: int = 0) -> list[tuple[int, str, bytes]]:
    """The oldest events after a number: number, key and event."""
    query = "SELECT id, key, event FROM outgoing WHERE id > ? ORDER BY id LIMIT ?"
    return connection.execute(query, (after, limit)).fetchall()


def silent_sessions(connection: sqlite3.Connection, since: float, until: float) -> list[tuple[str, str]]:
    """Session and agent of unfinished sessions whose latest event is in this period and whose events are sent."""
    query = (
        "SELECT session, agent FROM sessions WHERE ended = 0 AND seen_at BETWEEN ? AND ? "
        "AND json_extract(notes, '$.sent') IS NOT NULL"
    )
    return connection.execute(query, (since, until)).fetchall()


def remove(connection: sqlite3.Connection, numbers: "Sequence[int]", *, column: str = "sent") -> None:
    """Remove events that the broker has acknowledged, or `dropped` ones that it will never accept."""
    marks = ", ".join("?" * len(numbers))
    connection.execute("BEGIN IMMEDIATE")
    query = f"SELECT count(*), coalesce(sum(length(event)), 0) FROM outgoing WHERE id IN ({marks})"  # noqa: S608
    count, size = connection.execute(query, numbers).fetchone()
    connection.execute(f"DELETE FROM outgoing WHERE id IN ({marks})", numbers)  # noqa: S608
    change = f"UPDATE outgoing_counts SET bytes = bytes - ?, {column} = {column} + ?"  # noqa: S608
    connection.execute(change, (size, count))
    connection.execute("COMMIT")


def outgoing_counts() -> OutgoingCounts | None:
    """The state of the queue on this machine; None if there is no database, or one of an older Headway."""
    from pathlib import Path  # a hook does not need it

    if not Path(database()).exists():
        return None
    connection = sqlite3.connect(to_read(database()), uri=True, timeout=2.0)
    try:
        (waiting,) = connection.execute("SELECT count(*) FROM outgoing").fetchone()
        counted = connection.execute("SELECT bytes, sent, dropped FROM outgoing_counts").fetchone()
        return OutgoingCounts(waiting, *counted)
    except sqlite3.OperationalError as error:
        if "no such table" in str(error):
            return None
        raise
    finally:
        connection.close()
