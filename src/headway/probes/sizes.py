"""Caches the size of each source file from one measurement to the next.

A round changes a handful of files. If the changed files are known, only those are counted again.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

MOST_CHANGED: Final = 500
"""With more changed files than this, all files are counted."""


class Size(NamedTuple):
    """What was counted in one file."""

    lines: int
    """Lines that are not blank."""
    complexity: int = 0
    """The sum over all functions."""
    functions: int = 0


class Sizes:
    """The sizes of a project's files, and which files have changed since."""

    def __init__(self, files: dict[str, Size] | None = None, changed: Iterable[str] = ()) -> None:
        self.files = files or {}
        """By path in the project."""
        self.changed = frozenset(changed)
        self.is_counted = files is not None
        self.without_complexity: str | None = None
        """Why complexity is unknown."""

    def after(self, changed: Iterable[str]) -> "Sizes":
        """The same sizes, with these files marked as changed."""
        next_one = Sizes(dict(self.files) if self.is_counted else None, changed)
        next_one.without_complexity = self.without_complexity
        return next_one

    @property
    def only(self) -> frozenset[str] | None:
        """The files to count; None means all."""
        return self.changed if self.is_counted and len(self.changed) <= MOST_CHANGED else None
