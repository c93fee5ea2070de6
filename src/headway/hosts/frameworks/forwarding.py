"""Sends events of a program that embeds Headway to other machines, through the same queue on disk as those of hooks.

The program's own threads only append to a list in memory. A thread of this module writes it to the disk.
"""

import logging
import sqlite3
import time
from collections import OrderedDict, deque
from collections.abc import Mapping
from threading import Condition, Lock, Thread
from typing import Any

from msgspec.structs import replace

from headway.config.settings import Forward, Settings
from headway.core.events import Event, RunStarted, encode_event
from headway.core.reduction import reduced
from headway.core.session import Session

log = logging.getLogger("headway")

IN_MEMORY = 10_000
"""Events that may wait for the disk. More are dropped and counted."""
SESSIONS = 1_000
"""Sessions whose event numbers are remembered. A forgotten session starts again at 1."""
AGAIN_AFTER = 1.0
"""Seconds after which a failed write is tried again."""


class Outbox:
    """Takes events from any thread and writes them to the queue on disk."""

    def __init__(self, forward: Forward) -> None:
        self._most_bytes = forward.queue_mb * 1_000_000
        self._events: deque[tuple[str, bytes]] = deque()
        self._lost = 0
        self._changed = Condition()
        self._thread: Thread | None = None
        self._is_writing = False

    def put(self, key: str, event: bytes) -> None:
        """Queue an event; returns at once."""
        with self._changed:
            if len(self._events) >= IN_MEMORY:
                self._lost += 1
                return
            self._events.append((key, event))
            if self._thread is None:
                self._thread = Thread(target=self._work, name="headway-outbox", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def flush(self, seconds: float) -> bool:
        """Wait until everything is on disk; False if it takes longer."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._events and not self._is_writing, seconds)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._events))
                events, lost, self._is_writing = list(self._events), self._lost, True
                self._events.clear()
                self._lost = 0
            try:
                self._write(events, lost)
            except (sqlite3.Error, OSError) as error:
                log.warning("events for other machines cannot be queued, and are tried again: %s", error)
                with self._changed:
                    self._events.extendleft(reversed(events))
                    self._lost += lost
                time.sleep(AGAIN_AFTER)
            finally:
                with self._changed:
                    self._is_writing = False
                    self._changed.notify_all()

    def _write(self, events: list[tuple[str, bytes]], lost: int) -> None:
        from headway.store.outgoing import put
        from headway.store.sessions import SessionStore

        store = SessionStore()
        try:
            store.prepare()
            store.begin()
            put(store.connection, events, self._most_bytes, lost)
            store.commit()
        finally:
            store.close()


class Forwarding:
    """Numbers the events of each session, reduces them to what may leave the machine, and puts them into the outbox."""

    def __init__(self, forward: Forward) -> None:
        self.outbox = Outbox(forward)
        self._content = forward.content
        self._numbers: OrderedDict[str, int] = OrderedDict()
        self._lock = Lock()

    @classmethod
    def of(cls, settings: Settings | Mapping[str, Any] | None) -> "Forwarding | None":
        """Forwarding, if the settings ask for it."""
        forward = Settings.of(settings).forward
        return cls(forward) if forward.kafka else None

    def note(self, event: Event, session: Session) -> None:
        """Send an event that a session has processed."""
        leaving = reduced(event, session, content=self._content)
        at = time.time() if event.at is None else event.at
        with self._lock:
            number = self._numbers.pop(leaving.key, 0)
            if not number and not isinstance(event, RunStarted):
                number = 1
                self._put(RunStarted(run=leaving.run, agent=leaving.agent, seq=1, at=at))
            self._numbers[leaving.key] = number + 1
            if len(self._numbers) > SESSIONS:
                self._numbers.popitem(last=False)
            self._put(replace(leaving, seq=number + 1, at=at))

    def _put(self, event: Event) -> None:
        self.outbox.put(event.key, encode_event(event))
