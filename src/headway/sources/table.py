"""Reads Parquet files a few rows at a time, with limits that depend on their size."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from headway.sources.packed import ALWAYS, RATIO, DamagedError, UnreadableError

ROWS = 16
"""Rows read at once. A row is a whole session."""
NEEDED = "Parquet is read with pyarrow; `pip install 'headway-agents[parquet]'` installs it"


class Table:
    """A Parquet file."""

    def __init__(self, path: Path | None, content: bytes | None, name: str) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise UnreadableError(f"{name}: {NEEDED}") from None
        self._faults: Any = (pyarrow.ArrowException, OSError)
        with _explained(self._faults):
            file = path if content is None else pyarrow.BufferReader(content)
            self._file: Any = pyarrow.parquet.ParquetFile(file)
            self.names: tuple[str, ...] = tuple(self._file.schema_arrow.names)
            """The columns."""
        metadata = self._file.metadata
        unpacked = sum(metadata.row_group(place).total_byte_size for place in range(metadata.num_row_groups))
        size = path.stat().st_size if content is None and path else len(content or b"")
        if unpacked > max(ALWAYS, RATIO * size):
            raise DamagedError(f"the file expands to more than {RATIO} times its size")

    def batches(self, columns: Sequence[str]) -> Iterator[Any]:
        """Some columns, a few rows at a time, as batches of Arrow."""
        with _explained(self._faults):
            yield from self._file.iter_batches(ROWS, columns=list(columns), use_threads=False)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class _explained:  # noqa: N801 - used like a function
    """Turns errors of pyarrow into one of ours."""

    def __init__(self, faults: Any) -> None:
        self._faults = faults

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, self._faults):
            raise DamagedError(f"the Parquet file is damaged: {error}") from error
