"""Packed sessions: Parquet with one row for each session and its events in a list, as `headway pack` writes them."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from headway.core.events import Event, EventError
from headway.shapes.packed_events import COLUMNS, event_of
from headway.sources import Head, Source
from headway.sources.packed import DamagedError


class PackedSessions:
    """One session after the other."""

    name = "packed-sessions"
    title = "Packed sessions (Parquet, written by `headway pack`)"
    sorted_by_run = True

    def recognises(self, head: Head) -> bool:
        """By the columns."""
        return head.is_parquet and {"run", "agent", "events"} <= set(head.names)

    def read(self, source: Source) -> Iterator[Event]:
        """The events of every row."""
        try:
            with source.table() as table:
                for batch in table.batches(("run", "agent", "events")):
                    yield from _sessions(batch, source)
        except DamagedError as error:
            source.skip(str(error))
            source.broken_off = str(error)


def _sessions(batch: Any, source: Source) -> Iterator[Event]:
    """The events of some rows, read column by column, which is faster than row by row."""
    events = batch.column("events")
    try:
        values = events.flatten()
        known = [field.name for field in values.type if field.name in COLUMNS]
    except (AttributeError, TypeError):
        raise DamagedError("its column `events` is not a list of events") from None
    columns = [values.field(name).to_pylist() for name in known]
    rows = zip(*columns, strict=True)
    names = zip(batch.column("run").to_pylist(), batch.column("agent").to_pylist(), strict=True)
    for (run, agent), count in zip(names, events.value_lengths().to_pylist(), strict=True):
        for row in islice(rows, count or 0):
            try:
                yield event_of(dict(zip(known, row, strict=True)), run or "", agent or "")
            except EventError as error:
                source.skip(str(error))
