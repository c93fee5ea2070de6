"""All sessions of one instance: an event in, messages about findings and decisions out.

A session's events are processed by their sequence numbers. One that is known already changes nothing. One that comes
too early waits for those before it, until `EARLY_EVENTS` wait or `EARLY_SECONDS` have passed by the times of the events
themselves; then the missing ones are given up and counted. Nothing here reads a clock, so that the same messages in
the same order always lead to the same messages.
"""

from collections import OrderedDict
from typing import NamedTuple

import msgspec

from headway.config.settings import Settings
from headway.core.decision import Action
from headway.core.events import Event, EventError, RunStarted, decode_event, is_credible_time
from headway.fleet.counts import Counts
from headway.fleet.state import (
    Head,
    Store,
    load,
    read_early,
    read_head,
    start_again,
    write_early,
    write_event,
    write_head,
)
from headway.fleet.topics import TopicMessage, decided, refused, seen
from headway.monitor import Monitor

EARLY_EVENTS = 64
"""Events of one session that may wait for an earlier one."""
EARLY_SECONDS = 10.0
"""Time for which they wait."""
FARTHEST = 1_000_000
"""Events that a session can have lost. A number farther ahead is wrong: all correct ones after it would look old."""


class Read(NamedTuple):
    """A message that is an event."""

    key: str
    raw: bytes
    event: Event


class Live(msgspec.Struct):
    """A session in memory."""

    monitor: Monitor
    taken: int


class Sessions:
    """The sessions of an instance; the least recently active ones are removed from memory first."""

    def __init__(self, settings: Settings, most: int, counts: Counts) -> None:
        self._settings, self._most, self._counts = settings, most, counts
        self._live: OrderedDict[str, Live] = OrderedDict()

    def take(self, read: Read, store: Store) -> list[TopicMessage]:
        """Process an event; returns the messages that it leads to."""
        key, raw, event = read
        head, counts = read_head(store), self._counts
        if head.taken and _starts_again(event, head):
            head = start_again(store, head)
            self._live.pop(key, None)
            counts.restarted += 1
        if event.seq is not None and event.seq <= head.last_seq:
            counts.doubled += 1
            return []
        told: list[TopicMessage] = []
        if event.seq is not None and head.taken and event.seq > head.last_seq + FARTHEST:
            counts.refused += 1
            return [refused(f"its number {event.seq} is far ahead of the last, {head.last_seq}", key.encode(), raw)]
        if event.seq is not None and event.seq > head.last_seq + 1:
            self._wait(raw, event, head, store)
        elif event.seq is not None:
            told += self._feed(key, raw, event, head, store)
        if head.early:
            told += self._take_early(key, event.at, head, store)
        if event.seq is None:
            told += self._feed(key, raw, event, head, store)
        write_head(store, head)
        return told

    def _feed(self, key: str, raw: bytes, event: Event, head: Head, store: Store) -> list[TopicMessage]:
        live = self._session(key, event, head, store)
        try:
            outcome = live.monitor.feed(event)
        except EventError as error:
            head.last_seq = event.seq or head.last_seq
            self._counts.refused += 1
            return [refused(str(error), key.encode(), raw)]
        head.taken = live.taken = head.taken + 1
        head.last_at = live.monitor.session.last_at
        head.last_seq = event.seq or head.last_seq
        write_event(store, head, live.monitor, raw)
        self._counts.taken += 1
        if not outcome.findings and outcome.decision.action is Action.CONTINUE:
            return []
        step, id = live.monitor.session.step_count, _id(key, event, head)
        told = [seen(f"{id}.{number}", event, step, one) for number, one in enumerate(outcome.findings, 1)]
        self._counts.findings += len(told)
        if outcome.decision.action is not Action.CONTINUE:
            self._counts.decide(outcome.decision.action.value)
            told.append(decided(id, event, step, outcome.decision))
        return told

    def _wait(self, raw: bytes, event: Event, head: Head, store: Store) -> None:
        early = read_early(store) if head.early else []
        if any(decode_event(one).seq == event.seq for one in early):
            self._counts.doubled += 1
            return
        self._counts.early += 1
        head.early = len(early) + 1
        write_early(store, [*early, raw])

    def _take_early(self, key: str, now: float | None, head: Head, store: Store) -> list[TopicMessage]:
        """Process the events that are next in order; if they have waited long enough, without the missing ones."""
        early = sorted(((decode_event(raw), raw) for raw in read_early(store)), key=lambda pair: pair[0].seq or 0)
        told: list[TopicMessage] = []
        while early:
            event, raw = early[0]
            missing = (event.seq or 0) - head.last_seq - 1
            if missing > 0 and len(early) < EARLY_EVENTS and not _is_overdue(early, now):
                break
            if missing >= 0:
                self._counts.missing += missing
                told += self._feed(key, raw, event, head, store)
            early = early[1:]
        if len(early) != head.early:
            head.early = len(early)
            write_early(store, [raw for _, raw in early])
        return told

    def _session(self, key: str, event: Event, head: Head, store: Store) -> Live:
        """The session in memory; loaded if it is not there, or if another instance has had it since."""
        live = self._live.get(key)
        if live is not None and live.taken == head.taken:
            self._live.move_to_end(key)
            return live
        monitor = Monitor(run=event.run, agent=event.agent, settings=self._settings)
        if head.taken:
            monitor, is_whole = load(store, head, monitor)
            self._counts.loaded += 1
            self._counts.unreadable += not is_whole
        self._live[key] = live = Live(monitor, head.taken)
        self._live.move_to_end(key)
        if len(self._live) > self._most:
            self._live.popitem(last=False)
        self._counts.live = len(self._live)
        return live


def _starts_again(event: Event, head: Head) -> bool:
    """Whether a session is numbered from 1 again, because its machine lost its database."""
    is_start = isinstance(event, RunStarted) and event.seq == 1
    return is_start and event.at is not None and head.last_at is not None and event.at > head.last_at


def _id(key: str, event: Event, head: Head) -> str:
    """The id of a result of an event: the same whenever the event is processed, and different after a restart."""
    again = f"~{head.restarts}" if head.restarts else ""
    return f"{key}#{event.seq or f'+{head.taken}'}{again}"


def _is_overdue(early: list[tuple[Event, bytes]], now: float | None) -> bool:
    times = [event.at for event, _ in early if event.at is not None]
    return now is not None and bool(times) and now - min(times) >= EARLY_SECONDS


def event_for(key: bytes | None, value: bytes | None) -> Read:
    """The event of a message, or an EventError that says what is wrong with it."""
    if value is None:
        raise EventError("the message is empty")
    event = decode_event(value)
    try:
        msgspec.msgpack.encode(event)
    except OverflowError as error:
        raise EventError(f"a number in it is too large to be stored: {error}") from error
    if event.seq is not None and event.seq < 1:
        raise EventError(f"seq must be 1 or more, not {event.seq}")
    if not is_credible_time(event.at):  # after it, the events of a restarted session would look repeated
        raise EventError(f"at must be a time in seconds up to the year 9999, not {event.at:g}")
    if not event.run:
        raise EventError(f"{type(event).__name__} has no run: in a fleet, every event must have one")
    if key is None or key != event.key.encode():
        shown = "no key" if key is None else repr(key.decode("utf-8", "replace"))
        raise EventError(
            f"the key must be {event.key!r} (run/agent), so that a session stays in one partition, not {shown}"
        )
    return Read(event.key, value, event)
