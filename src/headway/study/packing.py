"""Packs sessions into Parquet: one row per session with its events in a list, in shards of about equal size.

Each shard can be read on its own, so work is divided by giving each worker some shards.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import msgspec

from headway.readers import opened
from headway.rolling.text import clean
from headway.shapes.packed_events import COLUMNS, row_of
from headway.sources import Source
from headway.sources.storage import Storage

SHARD = 128_000_000
"""Bytes of events in a shard before compression, about some seconds of work for one core."""
MAX_BYTES_IN_MEMORY = 8_000_000
_FIXED = 40
"""Bytes to count for an event besides its texts."""


class Session(msgspec.Struct):
    """All events of one agent in one run."""

    run: str
    agent: str
    source: str
    reader: str
    events: list[dict[str, Any]] = []
    size: int = 0

    def add(self, row: dict[str, Any]) -> None:
        """Add an event."""
        self.events.append(row)
        self.size += _FIXED + sum(len(value) for value in row.values() if isinstance(value, str))


class Shards:
    """Writes sessions into shards."""

    def __init__(self, storage: Storage, size: int = SHARD) -> None:
        import pyarrow  # an extra, and slow to import
        import pyarrow.parquet

        self._arrow: Any = pyarrow
        self._storage, self._limit = storage, size
        self._held: list[Session] = []
        self._held_size = self._shard_size = 0
        self._writer: Any = None
        self._folder = tempfile.TemporaryDirectory(prefix="headway-")
        self.names: list[str] = []
        self.sessions = self.events = self.size = 0

    def add(self, session: Session) -> None:
        """Write one session."""
        self._held.append(session)
        self._held_size += session.size
        self.sessions += 1
        self.events += len(session.events)
        if self._held_size >= min(MAX_BYTES_IN_MEMORY, self._limit):
            self._write()
        if self._shard_size >= self._limit:
            self._end_shard()

    def close(self) -> None:
        """Write the rest."""
        with self:
            self._write()
            self._end_shard()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Remove unfinished files."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        self._folder.cleanup()

    def _write(self) -> None:
        if not self._held:
            return
        if self._writer is None:
            self._writer = self._arrow.parquet.ParquetWriter(self._unfinished, _schema(self._arrow), compression="zstd")
        rows = [msgspec.structs.asdict(session) | {"events": session.events} for session in self._held]
        self._writer.write_table(self._arrow.Table.from_pylist(rows, schema=_schema(self._arrow)))
        self.size += self._held_size
        self._shard_size += self._held_size
        self._held, self._held_size = [], 0

    def _end_shard(self) -> None:
        if self._writer is None:
            return
        self._writer.close()
        self._writer, self._shard_size = None, 0
        self.names.append(f"sessions-{len(self.names):05}.parquet")
        self._storage.put(self._unfinished, self.names[-1])

    @property
    def _unfinished(self) -> Path:
        return Path(self._folder.name, "shard.parquet")


class Names:
    """Gives each session a unique name: two recordings may have runs of the same name, or without one."""

    def __init__(self) -> None:
        self._seen: set[tuple[str, str]] = set()

    def of(self, session: Session) -> Session:
        """The session; if its name is taken, its recording is added to the name."""
        run = session.run or session.source
        if (run, session.agent) in self._seen:
            run = f"{session.source}#{run}"
        self._seen.add((run, session.agent))
        return msgspec.structs.replace(session, run=run)


def sessions_in(source: Source, reader: str | None = None) -> Iterator[Session]:
    """The sessions of one recording, in the order they began."""
    chosen, stream = opened(source, reader)
    found: dict[tuple[str, str], Session] = {}
    for event in stream:
        one = found.get((event.run, event.agent))
        if one is None:
            one = Session(clean(event.run), clean(event.agent), source.name, chosen.name)
            found[event.run, event.agent] = one
        one.add(row_of(event))
    return iter(found.values())


def _schema(arrow: Any) -> Any:
    kinds = {"text": arrow.string(), "count": arrow.int64(), "number": arrow.float64(), "yes": arrow.bool_()}
    event = arrow.struct([(name, kinds[kind]) for name, kind in COLUMNS.items()])
    names = [(name, arrow.string()) for name in ("run", "agent", "source", "reader")]
    return arrow.schema([*names, ("size", arrow.int64()), ("events", arrow.list_(event))])
