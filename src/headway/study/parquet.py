"""The tables of recordings as Parquet files, for DuckDB, Polars and pandas."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from headway.sources.storage import Storage
from headway.study.tables import Row, Tables

MAX_ROWS_IN_MEMORY = 2_000
ROWS_PER_READ = 500
SCHEMAS: dict[str, dict[str, str]] = {
    "files": {
        "name": "text", "size": "count", "runs": "count", "skipped_records": "count", "passed_over": "text",
        "unread": "text", "trouble": "text", "missing": "text",
    },
    "runs": {
        "run": "text", "agent_id": "text", "source": "text", "reader": "text", "agent": "text", "model": "text",
        "project": "text", "prompt": "text", "verdict": "text", "steps": "count", "failed_steps": "count",
        "user_turns": "count", "first_stop": "count", "skipped_records": "count", "findings": "count",
        "decisions": "count", "tokens_in": "count", "tokens_out": "count", "cost_usd": "number",
        "estimated_usd": "number", "active_seconds": "number",
        "after_stop_steps": "count", "after_stop_tokens_in": "count", "after_stop_tokens_out": "count",
        "after_stop_cost_usd": "number", "after_stop_estimated_usd": "number", "after_stop_active_seconds": "number",
        "started_at": "time", "ended_at": "time", "details": "text",
    },
    "findings": {
        "run": "text", "agent_id": "text", "source": "text", "detector": "text", "severity": "text",
        "confidence": "number", "message": "text", "identity": "text", "first_step": "count", "last_step": "count",
        "occurrences": "count", "evidence": "text",
    },
    "decisions": {
        "run": "text", "agent_id": "text", "source": "text", "step": "count", "action": "text", "reason": "text",
        "message": "text",
    },
    "steps": {
        "run": "text", "agent_id": "text", "source": "text", "number": "count", "at": "time", "tool": "text",
        "kind": "text", "path": "text", "command": "text", "failed": "yes", "denied": "yes", "exit_code": "count",
        "hits": "count", "output_size": "count", "message": "text", "tests_passed": "count", "tests_failed": "count",
    },
    "timelines": {
        "run": "text", "agent_id": "text", "source": "text", "timeline": "bytes", "outputs": "bytes",
    },
}  # fmt: skip
OF_CONVERT = ("runs", "steps", "findings", "decisions")
"""The tables that `headway convert --to parquet` writes."""
OF_STEPS = ("steps", "timelines")
"""Additional tables if the steps are requested. The page draws the timelines."""
OF_RESULTS = ("files", "findings", "decisions", "runs")
"""The tables of a scan's results. `runs` is written last, so that it marks a complete result."""


class ParquetFiles:
    """Writes tables as Parquet files. They appear in the storage when all are written, in the given order."""

    def __init__(self, storage: Storage, tables: Sequence[str], place: Callable[[str], str]) -> None:
        import pyarrow  # an extra, and slow to import
        import pyarrow.parquet

        self._arrow: Any = pyarrow
        self._storage, self._place = storage, place
        self._folder = tempfile.TemporaryDirectory(prefix="headway-")
        self._held: dict[str, list[Row]] = {name: [] for name in tables}
        self._writers = {
            name: pyarrow.parquet.ParquetWriter(self._written(name), self._schema(name), compression="zstd")
            for name in tables
        }

    def add(self, tables: Tables) -> None:
        """Write some rows."""
        for name, held in self._held.items():
            held += getattr(tables, name)
            if len(held) >= MAX_ROWS_IN_MEMORY:
                self._flush(name)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._folder:
            for name, writer in self._writers.items():
                if kind is None:
                    self._flush(name)
                writer.close()
            for name in self._writers if kind is None else ():
                self._storage.put(self._written(name), self._place(name))

    def _flush(self, name: str) -> None:
        rows, self._held[name] = self._held[name], []
        if rows:
            self._writers[name].write_table(self._arrow.Table.from_pylist(rows, schema=self._schema(name)))

    def _schema(self, name: str) -> Any:
        arrow = self._arrow
        kinds = {
            "text": arrow.string(), "count": arrow.int64(), "number": arrow.float64(), "yes": arrow.bool_(),
            "time": arrow.timestamp("us", "UTC"), "bytes": arrow.binary(),
        }  # fmt: skip
        return arrow.schema([(column, kinds[kind]) for column, kind in SCHEMAS[name].items()])

    def _written(self, name: str) -> Path:
        return Path(self._folder.name, f"{name}.parquet")


def rows_of(path: Path) -> Iterator[Row]:
    """The rows of a file, a few at a time."""
    import pyarrow.parquet

    with pyarrow.parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(ROWS_PER_READ):
            yield from batch.to_pylist()
