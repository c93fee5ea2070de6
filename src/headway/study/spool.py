"""Stores reports during a scan: in memory while there are few, on disk when there are many."""

from collections.abc import Iterable, Iterator
from tempfile import SpooledTemporaryFile

import msgspec

from headway.core.run_report import RunReport

MAX_BYTES_IN_MEMORY = 8_000_000
_LENGTH = 4


class Spool:
    """Reports in the order of arrival. They can be iterated several times."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(MAX_BYTES_IN_MEMORY)  # noqa: SIM115 - it lives as long as the spool
        self._decoder = msgspec.msgpack.Decoder(RunReport)
        self.count = 0

    def extend(self, reports: Iterable[RunReport]) -> None:
        """Add reports."""
        for report in reports:
            data = msgspec.msgpack.encode(report)
            self._file.write(len(data).to_bytes(_LENGTH, "big") + data)
            self.count += 1

    def __iter__(self) -> Iterator[RunReport]:
        self._file.flush()
        place = 0
        for _ in range(self.count):
            self._file.seek(place)
            size = int.from_bytes(self._file.read(_LENGTH), "big")
            yield self._decoder.decode(self._file.read(size))
            place += _LENGTH + size

    def __len__(self) -> int:
        return self.count

    def close(self) -> None:
        """Delete all reports."""
        self._file.close()
