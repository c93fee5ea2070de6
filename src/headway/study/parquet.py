"""The three tables of recordings as Parquet files, for DuckDB, Polars and pandas."""

import os
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from headway.study.tables import Row, Tables

FLUSH = 50_000
"""Rows of a table that are held in memory."""
_KINDS = {"text": "string", "count": "int64", "number": "float64", "yes": "bool_"}
SCHEMAS: dict[str, dict[str, str]] = {
    "runs": {
        "run": "text", "agent_id": "text", "source": "text", "reader": "text", "agent": "text", "model": "text",
        "project": "text", "prompt": "text", "verdict": "text", "steps": "count", "failed_steps": "count",
        "user_turns": "count", "first_stop": "count", "skipped_records": "count", "tokens_in": "count",
        "tokens_out": "count", "cost_usd": "number", "estimated_usd": "number", "active_seconds": "number",
        "after_stop_steps": "count", "after_stop_tokens_in": "count", "after_stop_tokens_out": "count",
        "after_stop_cost_usd": "number", "after_stop_estimated_usd": "number", "after_stop_active_seconds": "number",
        "started_at": "time", "ended_at": "time",
    },
    "steps": {
        "run": "text", "agent_id": "text", "source": "text", "number": "count", "at": "time", "tool": "text",
        "kind": "text", "path": "text", "command": "text", "failed": "yes", "denied": "yes", "exit_code": "count",
        "hits": "count", "output_size": "count", "message": "text", "tests_passed": "count", "tests_failed": "count",
    },
    "findings": {
        "run": "text", "agent_id": "text", "source": "text", "detector": "text", "severity": "text",
        "confidence": "number", "message": "text", "identity": "text", "first_step": "count", "last_step": "count",
        "occurrences": "count",
    },
}  # fmt: skip
"""The columns of each table."""


class ParquetFiles:
    """Writes `runs.parquet`, `steps.parquet` and `findings.parquet`; they appear in the folder when all is written."""

    def __init__(self, folder: Path) -> None:
        import pyarrow  # an extra, and slow to import
        import pyarrow.parquet

        self._arrow: Any = pyarrow
        self._folder = folder
        self._ending = f".{os.urandom(8).hex()}.unfinished"
        self._held: dict[str, list[Row]] = {name: [] for name in SCHEMAS}
        folder.mkdir(parents=True, exist_ok=True)
        self._writers = {
            name: pyarrow.parquet.ParquetWriter(self._unfinished(name), self._schema(name), compression="zstd")
            for name in SCHEMAS
        }

    def add(self, tables: Tables) -> None:
        """Write some rows."""
        for name, held in self._held.items():
            held += getattr(tables, name)
            if len(held) >= FLUSH:
                self._flush(name)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name, writer in self._writers.items():
            if kind is None:
                self._flush(name)
            writer.close()
            if kind is None:
                self._unfinished(name).replace(self._folder / f"{name}.parquet")
            else:
                self._unfinished(name).unlink(missing_ok=True)

    def _flush(self, name: str) -> None:
        rows, self._held[name] = self._held[name], []
        if rows:
            self._writers[name].write_table(self._arrow.Table.from_pylist(rows, schema=self._schema(name)))

    def _schema(self, name: str) -> Any:
        arrow = self._arrow
        kinds = {kind: getattr(arrow, made)() for kind, made in _KINDS.items()} | {"time": arrow.timestamp("us", "UTC")}
        return arrow.schema([(column, kinds[kind]) for column, kind in SCHEMAS[name].items()])

    def _unfinished(self, name: str) -> Path:
        return self._folder / f".{name}{self._ending}"
