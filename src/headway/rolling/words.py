"""Counts and names in words, the same everywhere."""

from collections.abc import Sequence


def counted(count: int, one: str) -> str:
    """`1 run`, `1,204 runs`."""
    return f"{count:,} {one}{'' if count == 1 else 's'}"


def listed(names: Sequence[str], most: int = 3) -> str:
    """A few names, and how many more there are: `a, b, c and 2 more`."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
