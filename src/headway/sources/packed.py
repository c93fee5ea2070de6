"""Reads compressed files and lines with limits, because a small file can decompress to a huge one."""

import gzip
import os
from collections.abc import Iterator
from functools import partial
from io import BufferedReader, BytesIO, RawIOBase
from pathlib import Path
from typing import Protocol, cast

PACKED = (".gz", ".zst")
"""How the names of compressed files end."""
GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
"""How they begin."""
RATIO = 250
"""How many times its own size a compressed file may expand to; text recorded by agents stays below 100."""
ALWAYS = 64 * 1024 * 1024
"""What a compressed file may expand to, however small it is."""

BUFFER = 1 << 18
"""Bytes read at once: lines come three times as fast as with the usual 8 KB."""


class UnreadableError(OSError):
    """A recording cannot be opened at all; the message says why, and what to do."""


class DamagedError(ValueError):
    """A compressed file is cut off or damaged, or decompresses to far more than real text does."""


class Unpacking(Protocol):
    """The interface of all kinds of compression."""

    def read1(self, size: int, /) -> bytes:
        """Some more bytes, at most so many; none at the end."""

    def close(self) -> None:
        """Close the file."""


def unpacked(path: Path, buffer: int = BUFFER) -> BufferedReader:
    """A file's bytes, unpacked if it is compressed."""
    packing = path.suffix
    if packing == ".gz":
        return bounded(gzip.open(path, "rb"), path.stat().st_size)
    if packing == ".zst":
        return bounded(zstd_reader(path.open("rb"), readable(path)), path.stat().st_size)
    return cast(BufferedReader, path.open("rb", buffer))


def unpacked_bytes(content: bytes, name: str) -> BufferedReader | BytesIO:
    """The same for bytes without a file name: their beginning tells how they are compressed."""
    if content.startswith(GZIP):
        return bounded(gzip.GzipFile(fileobj=BytesIO(content)), len(content))
    if content.startswith(ZSTD):
        return bounded(zstd_reader(BytesIO(content), name), len(content))
    return BytesIO(content)


def zstd_reader(file: BufferedReader | BytesIO, name: str) -> Unpacking:
    """The decompressed content of a zstd file."""
    try:
        import zstandard
    except ImportError:
        file.close()
        needed = "`pip install 'headway-agents[zstd]'`"
        raise UnreadableError(f"{name} is compressed with zstd; {needed} reads that") from None
    # a frame may ask for a window of gigabytes; 128 MB is what `zstd --long` needs
    unpacker = zstandard.ZstdDecompressor(max_window_size=2**27)
    return unpacker.stream_reader(file, read_across_frames=True)


def beginning(file: BufferedReader | BytesIO, most: int) -> tuple[bytes, str]:
    """The first bytes of a file; of one that is damaged, what comes before the damage, and what is wrong."""
    if not isinstance(file, BufferedReader):
        return file.read(most), ""
    data = b""
    try:
        while len(data) < most and (piece := file.read1(most - len(data))):  # read() would lose it
            data += piece
    except DamagedError as error:
        return data, str(error)
    return data, ""


def bounded(file: Unpacking, packed_size: int, always: int | None = None) -> BufferedReader:
    """A file that raises an error when it decompresses to far more than its packed size makes plausible."""
    least = ALWAYS if always is None else always
    return BufferedReader(_Bounded(file, max(least, RATIO * packed_size)), BUFFER)


class _Bounded(RawIOBase):
    def __init__(self, file: Unpacking, allowed: int) -> None:
        self.file = file
        self.left = allowed

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            data = self.file.read1(len(buffer))  # not read(): what comes before a damage is kept
        except Exception as error:  # each way of packing has its own
            raise DamagedError(f"the compressed file is damaged: {error}") from error
        self.left -= len(data)
        if self.left < 0:
            raise DamagedError(f"the compressed file expands to more than {RATIO} times its size")
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self.file.close()
        super().close()


def readable(path: Path | str) -> str:
    """A path as text that can be printed and stored anywhere; invalid UTF-8 becomes replacement characters."""
    return os.fsencode(path).decode("utf-8", "replace")


LONGEST = 64 * 1024 * 1024
"""The longest line that is read."""
_CHUNK = 1 << 20


def whole(file: BufferedReader | BytesIO, most: int) -> bytes:
    """The content of a file, or its first bytes; allocates only what is needed."""
    pieces = []
    while most > 0 and (piece := file.read(min(most, _CHUNK))):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def lines_of(file: BufferedReader | BytesIO) -> Iterator[bytes | None]:
    """Every line with its line break; None for a line that is too long."""
    for line in iter(partial(file.readline, LONGEST + 1), b""):
        if len(line) <= LONGEST:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(LONGEST)
        yield None
