"""Reads LCOV line by line, because such a file may be very large."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

from headway.core.iteration import Measurements
from headway.probes.line_coverage import line_coverage
from headway.probes.probe import Plan, ProbeError, Reading, Where
from headway.probes.report import read_file

MOST_FILES: Final = 200_000
LONGEST_LINE: Final = 65_536


def parse(data: bytes | Iterable[bytes]) -> Measurements:
    """Lines found and hit over all files. A file listed twice (two test runs) counts once, with the better result."""
    lines = data.splitlines() if isinstance(data, bytes) else data
    files: dict[str, tuple[int, int]] = {}
    record: _Record | None = None
    for number, line in enumerate(lines, 1):
        if record and line.startswith(b"DA:"):  # checked first, because nearly all lines are of this kind
            record.ran(line, number)
            continue
        key, _, value = line.strip().partition(b":")
        if key == b"SF":
            record = _Record(value.decode("utf-8", "replace"))
        elif record and key == b"end_of_record":
            files[record.file] = max(files.get(record.file, (0, 0)), record.hit_and_found(number))
            record = None
        elif record and key in (b"LF", b"LH"):
            record.stated[key] = _count(value, line, number)
        if len(files) > MOST_FILES:
            raise ProbeError(f"line {number}: more than {MOST_FILES} files")
    if record:
        raise ProbeError(f"it ends inside the record of {record.file[:200]}; expected end_of_record")
    if not files:
        raise ProbeError("no record of a file; expected LCOV (SF:…, DA:…, end_of_record)")
    return line_coverage(sum(hit for hit, _ in files.values()), sum(found for _, found in files.values()))


class _Record:
    """The record of one file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.hit, self.found = 0, 0
        self.stated: dict[bytes, int] = {}

    def ran(self, line: bytes, number: int) -> None:
        """Record `DA:line,times[,checksum]`."""
        parts = line.split(b",", 2)
        self.found += 1
        self.hit += _count(parts[1] if len(parts) > 1 else b"", line, number) > 0

    def hit_and_found(self, number: int) -> tuple[int, int]:
        """The totals in the record, or else those of its lines."""
        hit, found = self.stated.get(b"LH", self.hit), self.stated.get(b"LF", self.found)
        if hit > found:
            raise ProbeError(f"line {number}: {self.file[:200]} has {hit} lines hit of {found}")
        return hit, found


def _count(text: bytes, line: bytes, number: int) -> int:
    try:
        count = int(text)
    except ValueError:
        count = -1
    if count < 0:
        shown = line.strip()[:60].decode("utf-8", "replace")
        raise ProbeError(f"line {number}: {shown}; expected a count of 0 or more")
    return count


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file; an overlong line is truncated."""
    while line := file.readline(LONGEST_LINE):
        yield line
        while line and not line.endswith(b"\n"):
            line = file.readline(LONGEST_LINE)


def _parse_file(path: Path) -> Measurements:
    with path.open("rb") as file:
        return parse(lines_of(file))


def run(plan: Plan, where: Where) -> Reading:
    """Run the command and read its report line by line."""
    return read_file(plan, where, _parse_file)
