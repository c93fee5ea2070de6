"""The state of one session in the engine's store: a saved Monitor and the events since.

Saving a whole Monitor at every event would cost more than the event. So each event is stored as it came, and the
Monitor is saved once in a while. Loading feeds the stored events to the saved Monitor. The store is therefore right
after every event, and a Monitor may be dropped from memory at any time.

Keys of one session: `head` (small, written at each event), `saved:N` (parts of the saved Monitor), `event:N` (events
since then; their places are used again after each save) and `early` (events that wait for an earlier one).
"""

from typing import Protocol

import msgspec

from headway.core.events import EventError, decode_event
from headway.monitor import Monitor, SavedStateError

SAVED_EVERY = 128
"""Events after which the Monitor is saved."""
PART = 400_000
"""Bytes of a saved Monitor in one entry: a broker refuses messages of more than a megabyte."""


class Store(Protocol):
    """What the engine offers for one key."""

    def get_bytes(self, key: str) -> bytes | None:
        """The bytes under a name."""

    def set_bytes(self, key: str, value: bytes) -> None:
        """Put bytes under a name."""

    def delete(self, key: str) -> None:
        """Remove a name."""


class Head(msgspec.Struct, array_like=True):
    """The progress of a session."""

    taken: int = 0
    """Events processed."""
    last_seq: int = 0
    """The highest sequence number processed."""
    since_save: int = 0
    """Events since the Monitor was saved."""
    parts: int = 0
    """Parts of the saved Monitor; 0 before the first save."""
    early: int = 0
    """Events that wait for an earlier one."""
    last_at: float | None = None
    """Time of the latest event that has one."""
    restarts: int = 0
    """How often the session began again."""


_head: msgspec.msgpack.Decoder[Head] = msgspec.msgpack.Decoder(Head)


def read_head(store: Store) -> Head:
    """Read the progress of the session from the store."""
    found = store.get_bytes("head")
    return _head.decode(found) if found else Head()


def write_head(store: Store, head: Head) -> None:
    """Store the progress of the session."""
    store.set_bytes("head", msgspec.msgpack.encode(head))


def start_again(store: Store, head: Head) -> Head:
    """Forget a session."""
    for number in range(head.parts):
        store.delete(f"saved:{number}")
    return Head(restarts=head.restarts + 1)


def write_event(store: Store, head: Head, monitor: Monitor, raw: bytes) -> None:
    """Store a processed event; from time to time, store the Monitor in place of all events so far."""
    if head.since_save + 1 < SAVED_EVERY:
        store.set_bytes(f"event:{head.since_save}", raw)
        head.since_save += 1
        return
    saved = monitor.save()
    parts = [saved[start : start + PART] for start in range(0, len(saved), PART)]
    for number, part in enumerate(parts):
        store.set_bytes(f"saved:{number}", part)
    for number in range(len(parts), head.parts):
        store.delete(f"saved:{number}")
    head.parts, head.since_save = len(parts), 0


def read_early(store: Store) -> list[bytes]:
    """Events that wait for an earlier one, as they came."""
    found = store.get_bytes("early")
    return msgspec.msgpack.decode(found, type=list[bytes]) if found else []


def write_early(store: Store, events: list[bytes]) -> None:
    """Store the waiting events."""
    store.set_bytes("early", msgspec.msgpack.encode(events))


def load(store: Store, head: Head, fresh: Monitor) -> tuple[Monitor, bool]:
    """The Monitor as it was after the last event, and whether everything in the store could be read.

    If the saved one cannot be read (a newer Headway wrote it), `fresh` continues from here.
    """
    monitor, whole = fresh, True
    if head.parts:
        saved = b"".join(store.get_bytes(f"saved:{number}") or b"" for number in range(head.parts))
        try:
            monitor = Monitor.load(saved, settings=fresh.settings)
        except SavedStateError:
            whole = False
    for number in range(head.since_save):
        try:
            monitor.feed(decode_event(store.get_bytes(f"event:{number}") or b""))
        except EventError:
            whole = False
    return monitor, whole
