"""Reads tables with one row for each event, in any order and in any number of files, and sorts them into sessions.

DuckDB sorts them. What does not fit into memory goes to disk.
"""

import re
import tempfile
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from headway.core.events import EventError
from headway.shapes.packed_events import COLUMNS, event_of, row_of
from headway.sources.packed import UnreadableError
from headway.sources.storage import is_url
from headway.study.packing import Session

ROWS_PER_FETCH = 2_000
MEMORY = "1GB"
"""Memory for sorting. What does not fit goes to disk."""
NEEDED = "tables of events are sorted with DuckDB; `pip install 'headway-agents[parquet]'` installs it"


def are_flat_events(columns: Sequence[str]) -> bool:
    """Whether a table with these columns has one event per row."""
    return {"run", "type"} <= set(columns) and "events" not in columns


class FlatEvents:
    """Flat tables of events. Invalid rows are skipped and counted."""

    def __init__(self, files: Sequence[str], memory: str = MEMORY) -> None:
        self.files = list(files)
        self.skipped = 0
        self.first_fault = ""
        self._memory = memory

    def sessions(self) -> Iterator[Session]:
        """Each session with its events, ordered by `seq`, then by time, then by position in the files."""
        try:
            import duckdb
        except ImportError:
            raise UnreadableError(NEEDED) from None
        with tempfile.TemporaryDirectory(prefix="headway-") as folder, duckdb.connect() as database:
            database.execute(f"SET memory_limit = '{self._memory}'")
            database.execute("SET temp_directory = ?", [folder])
            self._reach(database)
            try:
                rows = _rows(database.execute(self._sql(database)))
                for (run, agent), events in groupby(rows, key=lambda row: (row["run"], row["agent"])):
                    yield self._session(run, agent, events)
            except duckdb.Error as error:
                raise UnreadableError(f"{', '.join(self.files[:3])}: {error}") from error

    def _reach(self, database: Any) -> None:
        """Let DuckDB open URLs through fsspec."""
        if any(map(is_url, self.files)):
            import fsspec

            for scheme in {file.partition("://")[0] for file in self.files if is_url(file)}:
                database.register_filesystem(fsspec.filesystem(scheme))

    def _sql(self, database: Any) -> str:
        files = ", ".join("'" + _literally(file).replace("'", "''") + "'" for file in self.files)
        table = f"read_parquet([{files}], union_by_name = true, filename = true, file_row_number = true)"
        present = {row[0] for row in database.execute(f"DESCRIBE SELECT * FROM {table}").fetchall()}  # noqa: S608
        agent = "coalesce(agent, '')" if "agent" in present else "''"
        columns = ", ".join(f'"{name}"' for name in COLUMNS if name in present)
        order = ", ".join(f'"{name}" NULLS FIRST' for name in ("seq", "at") if name in present)
        by = ", ".join(part for part in ("1, 2", order, "filename, file_row_number") if part)
        names = f"coalesce(run::VARCHAR, '') AS run, {agent}::VARCHAR AS agent"
        return f"SELECT {names}, {columns} FROM {table} ORDER BY {by}"  # noqa: S608 - names of files are quoted

    def _session(self, run: str, agent: str, rows: Iterator[dict[str, Any]]) -> Session:
        session = Session(run, agent, "", "flat-events")
        for row in rows:
            try:
                session.add(row_of(event_of(row, run, agent)))
            except EventError as error:
                self.skipped += 1
                self.first_fault = self.first_fault or f"run {run!r}: {error}"
        return session


def _literally(file: str) -> str:
    """The name as a pattern that matches only this name, because DuckDB treats names as patterns."""
    return re.sub(r"([*?[])", r"[\1]", file)


def _rows(result: Any) -> Iterator[dict[str, Any]]:
    names = [column[0] for column in result.description]
    while batch := result.fetchmany(ROWS_PER_FETCH):
        for row in batch:
            yield dict(zip(names, row, strict=True))
