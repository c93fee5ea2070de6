"""Lines of a file, none of them held in memory that is too long to be a record."""

from collections.abc import Iterator
from io import BufferedReader, BytesIO

LONGEST = 64 * 1024 * 1024
"""The longest line that is read."""
_CHUNK = 1 << 20


def lines_of(file: BufferedReader | BytesIO) -> Iterator[bytes | None]:
    """Every line without its line break; None in the place of one that is too long."""
    pieces: list[bytes] = []
    size = 0
    while chunk := file.read1(_CHUNK):
        *whole, rest = chunk.split(b"\n")
        if whole:
            first = whole[0]
            yield b"".join((*pieces, first)) if size + len(first) <= LONGEST else None
            yield from whole[1:]
            pieces, size = [], 0
        size += len(rest)
        if size <= LONGEST:
            pieces.append(rest)
        else:
            pieces.clear()
    if size:
        yield b"".join(pieces) if size <= LONGEST else None
