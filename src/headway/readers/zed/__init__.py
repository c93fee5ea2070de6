"""Threads of Zed's own agent: the database `threads/threads.db` in Zed's folder for data.

A row is a thread: JSON, usually packed with zstd. Threads of sub-agents name their parent.
"""

import sqlite3
from collections.abc import Iterator
from io import BytesIO

from headway.core.events import Event
from headway.readers.zed.thread import Thread
from headway.rolling.forgiving import FAULTS, from_json
from headway.shapes.values import Record, text
from headway.sources import Head, Source, UnreadableError
from headway.sources.database import Database
from headway.sources.packed import ALWAYS, RATIO, DamagedError, bounded, whole, zstd_reader

_COLUMNS = "SELECT name FROM pragma_table_info('threads')"
_PARENTS = "SELECT id, parent_id FROM threads"
_PLACES = "SELECT rowid FROM threads ORDER BY rowid"
_ROW = "SELECT * FROM threads WHERE rowid = ?"
_DEEPEST = 20
SMALL = 8 * 1024 * 1024
"""Bytes that a thread may unpack to, however small it is."""


class Zed:
    """Threads of Zed."""

    name = "zed"
    title = "Zed threads (database)"

    def recognises(self, head: Head) -> bool:
        """By its one table, and by that table's columns."""
        tables = {name for name in head.names if not name.startswith("sqlite_")} if head.is_database else set()
        return tables == {"threads"} and all(column in head.schema for column in ("data_type", "summary"))

    def read(self, source: Source) -> Iterator[Event]:
        """Every thread is a run, except those of sub-agents."""
        try:
            with source.database() as database:
                database.require_stored("threads")
                yield from _threads(database, source)
        except (sqlite3.Error, DamagedError) as error:
            source.skip(f"the database cannot be read: {error}")


def _threads(database: Database, source: Source) -> Iterator[Event]:
    columns = [text(name) for (name,) in database.rows(_COLUMNS)]
    parents = {text(one): text(parent) for one, parent in database.rows(_PARENTS)} if "parent_id" in columns else {}
    unpacking = _Unpacking(source.size)
    for (place,) in database.rows(_PLACES):
        row = dict(zip(columns, database.row(_ROW, place), strict=False))
        try:
            thread = from_json(unpacking.json_in(row), dict[str, object])
        except (*FAULTS, TypeError, DamagedError) as error:
            source.skip(str(error))
            if unpacking.left < 0:
                return
            continue
        except UnreadableError as error:  # zstandard is not there: no other thread can be read either
            source.skip(str(error))
            return
        name = text(row.get("id"))
        root = _root(name, parents)
        yield from Thread(thread, root, "" if root == name else name).events(row, source)


def _root(name: str, parents: dict[str, str]) -> str:
    """The thread at the top, of which a sub-agent's thread is a part."""
    for _ in range(_DEEPEST):
        if not parents.get(name):
            break
        name = parents[name]
    return name


class _Unpacking:
    """Unpacks threads, with a limit for all of them together that depends on the size of the database."""

    def __init__(self, size: int) -> None:
        self.left = max(ALWAYS, RATIO * size)

    def json_in(self, row: Record) -> bytes | str:
        """The JSON of a thread."""
        data = row.get("data")
        if row.get("data_type") != "zstd" or not isinstance(data, bytes):
            return data  # type: ignore[return-value]  # what is neither bytes nor text is no JSON
        if self.left < 0:
            raise DamagedError("its threads expand to far more than its size")
        most = max(SMALL, RATIO * len(data))
        self.left -= most  # all of it, if the thread is damaged
        with bounded(zstd_reader(BytesIO(data), "the thread"), len(data), SMALL) as file:
            found = whole(file, most + 1)
        self.left += most - len(found)
        return found
