"""Where recordings come from: files, folders, compressed files, standard input."""

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

HEAD = 65_536
ENDINGS = (".jsonl", ".json", ".jsonl.gz", ".json.gz")
"""Names that are looked at when a folder is walked."""
BROKEN = (EOFError, zlib.error, gzip.BadGzipFile)
"""What reading a damaged compressed file raises."""


class Source:
    """One recording, opened as often as needed; counts what its reader had to skip."""

    def __init__(self, path: Path | None = None, content: bytes | None = None) -> None:
        self.path = path
        self.name = str(path) if path else "-"
        self.skipped = 0
        self.first_fault = ""
        """Where the first thing stood that could not be read, and what was wrong with it."""
        self._line = 0
        self._content = content

    @classmethod
    def stdin(cls) -> "Source":
        """Everything that comes in on standard input."""
        return cls(content=sys.stdin.buffer.read())

    def open(self) -> BinaryIO:
        """The bytes, uncompressed."""
        if self._content is not None or self.path is None:
            return io.BytesIO(self._content or b"")
        if self.path.suffix == ".gz":
            return cast(BinaryIO, gzip.open(self.path, "rb"))
        return self.path.open("rb")

    def head(self) -> bytes:
        """The first bytes, enough to recognise a format."""
        try:
            with self.open() as file:
                return file.read(HEAD)
        except BROKEN:
            return b""

    def records(self) -> Iterator[dict[str, Any]]:
        """The JSON objects of a file with one on each line; anything else is skipped and counted."""
        decode = msgspec.json.Decoder(dict[str, Any]).decode
        for number, line in enumerate(self._lines(), 1):
            self._line = number
            if line.strip():
                try:
                    yield decode(line)
                except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                    self.skip(f"not a JSON object: {error}")

    def _lines(self) -> Iterator[bytes]:
        """The lines as far as they can be read: a compressed file may end or break in the middle."""
        try:
            with self.open() as file:
                yield from file
        except BROKEN as error:
            self.skip(f"the compressed file is damaged: {error}")

    def skip(self, why: str = "not understood") -> None:
        """Count something that could not be read; the first time tells where and why."""
        self.skipped += 1
        self.first_fault = self.first_fault or f"line {self._line}: {why}"


def sources_in(path: Path) -> Iterator[Source]:
    """A file as it is; a folder with everything in it that may be a recording."""
    if path.is_file():
        yield Source(path)
    if not path.is_dir():
        if not path.is_file():  # a pipe can be read only once
            yield Source(path, content=path.read_bytes())
        return
    for file in sorted(path.rglob("*")):
        if file.name.endswith(ENDINGS) and file.is_file():
            yield Source(file)


def first_object(head: bytes) -> dict[str, Any]:
    """The JSON object on the first line that holds one, or an empty one: what formats are recognised by."""
    for line in head.splitlines()[:20]:
        try:
            return msgspec.json.decode(line, type=dict[str, Any])
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            continue
    return {}
