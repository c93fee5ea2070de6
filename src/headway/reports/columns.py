"""Rows of short texts in columns, for a terminal."""

from collections.abc import Iterator, Sequence


def columns(rows: Sequence[Sequence[str]], names: int = 1) -> Iterator[str]:
    """The rows as lines. The first `names` columns begin at the left; the others are numbers, and end at the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            f"{cell:<{width}}" if place < names else f"{cell:>{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
