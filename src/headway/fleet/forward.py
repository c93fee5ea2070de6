"""Sends the queued events of this machine to Kafka. Agents never wait for it: their hooks only write to the queue."""

import sqlite3
import time
from collections.abc import Callable, Mapping
from typing import Any

from confluent_kafka import KafkaError, KafkaException, Message, Producer

from headway.core.events import Ticked, encode_event
from headway.fleet.topics import EVENTS
from headway.store.outgoing import next_events, remove, silent_sessions
from headway.store.sessions import SessionStore

FAULTS = KafkaException
"""Errors after which the client cannot continue."""
TICK = 60.0
"""Seconds without an event after which a tick is sent for a session, repeatedly."""
TOLD_FOR = 7_200.0
"""Seconds after which no more ticks are sent for a silent session."""
AT_ONCE = 500
"""Maximum number of events without an acknowledgement at the same time."""
NEVER = frozenset((KafkaError.MSG_SIZE_TOO_LARGE, KafkaError.INVALID_RECORD))
"""Errors of events that no broker with these settings will ever accept."""
PAUSE = 0.2
"""Seconds between two checks of an empty queue."""


class Forwarder:
    """Sends events in the order of the queue. One is removed when all replicas of the broker have it."""

    def __init__(self, kafka: Mapping[str, Any], report: Callable[[str], None]) -> None:
        self._report, self._is_told = report, False
        self._ticked_at = 0.0
        self._sending: set[int] = set()
        self._read_up_to = 0
        self._done: list[int] = []
        self._refused: list[int] = []
        self._producer = Producer(
            {"enable.idempotence": True, "compression.type": "lz4", "linger.ms": 20, **kafka,
             "error_cb": self._on_error, "log_level": 0}
        )  # fmt: skip

    def work(self) -> bool:
        """Send waiting events; returns whether any still wait.

        While the broker does not respond, the database is not used, because hooks need it.
        """
        if len(self._sending) < AT_ONCE or self._done or self._refused:
            store = SessionStore()
            try:
                store.prepare()
                self._exchange(store.connection)
            finally:
                store.close()
        self._producer.poll(PAUSE)
        return bool(self._sending)

    def _exchange(self, connection: sqlite3.Connection) -> None:
        if self._remove(connection, self._done, "sent"):
            self._is_told = False
        self._remove(connection, self._refused, "dropped")
        self._send(connection)
        if not self._sending:
            self._tick(connection, time.time())

    def _remove(self, connection: sqlite3.Connection, numbers: list[int], column: str) -> bool:
        """Remove events from the queue, if there are any."""
        some = numbers[:AT_ONCE]
        if some:
            remove(connection, some, column=column)
            self._sending.difference_update(some)
            del numbers[: len(some)]
        return bool(some)

    def _send(self, connection: sqlite3.Connection) -> None:
        for number, key, event in next_events(connection, AT_ONCE, self._read_up_to):
            if len(self._sending) >= AT_ONCE:
                return
            self._read_up_to = number
            if number not in self._sending:
                self._sending.add(number)
                told = self._on_delivery(number)
                try:
                    self._producer.produce(EVENTS, event, key, on_delivery=told)
                except KafkaException as error:  # it is larger than the client may send
                    if error.args[0].fatal():
                        raise
                    told(error.args[0], None)

    def _tick(self, connection: sqlite3.Connection, now: float) -> None:
        """Send ticks for silent sessions. A lost tick does not matter, because another one follows."""
        if now - self._ticked_at < TICK:
            return
        self._ticked_at = now
        for run, agent in silent_sessions(connection, now - TOLD_FOR, now - TICK):
            tick = Ticked(run=run, agent=agent, at=now)
            self._producer.produce(EVENTS, encode_event(tick), tick.key)

    def _on_delivery(self, number: int) -> Callable[[KafkaError | None, Message | None], None]:
        def note(error: KafkaError | None, message: Message | None) -> None:
            if error is None:
                self._done.append(number)
                return
            if error.code() in NEVER:
                self._refused.append(number)
            else:
                self._sending.discard(number)
                self._read_up_to = 0  # it is sent again
            self._on_error(error)

        return note

    def _on_error(self, error: KafkaError) -> None:
        """Report the first error; the next one only after something was delivered."""
        if not self._is_told:
            self._is_told = True
            self._report(f"Kafka: {error.str()}; events wait in the queue")
