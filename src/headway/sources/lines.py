"""Lines of a file, none of them held in memory that is too long to be a record."""

from collections.abc import Iterator
from functools import partial
from io import BufferedReader, BytesIO

LONGEST = 64 * 1024 * 1024
"""The longest line that is read."""


def lines_of(file: BufferedReader | BytesIO) -> Iterator[bytes | None]:
    """Every line with its line break; None in the place of one that is too long."""
    for line in iter(partial(file.readline, LONGEST + 1), b""):
        if len(line) <= LONGEST:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(LONGEST)
        yield None
