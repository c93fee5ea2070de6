"""Lines of a file, none of them held in memory that is too long to be a record."""

from collections.abc import Iterator
from functools import partial
from io import BufferedReader, BytesIO

LONGEST = 64 * 1024 * 1024
"""The longest line that is read."""
_CHUNK = 1 << 20


def whole(file: BufferedReader | BytesIO, most: int) -> bytes:
    """Everything in a file, or so much of it; room is taken only for what is there."""
    pieces = []
    while most > 0 and (piece := file.read(min(most, _CHUNK))):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def lines_of(file: BufferedReader | BytesIO) -> Iterator[bytes | None]:
    """Every line with its line break; None in the place of one that is too long."""
    for line in iter(partial(file.readline, LONGEST + 1), b""):
        if len(line) <= LONGEST:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(LONGEST)
        yield None
