"""How large each source file of a project is, remembered from one measuring to the next.

A round changes a handful of files. If the changed files are known, only those are counted again.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

MOST_CHANGED: Final = 500
"""Changed files above which all are counted."""


class Size(NamedTuple):
    """What was counted in one file."""

    lines: int
    """Those that are not blank."""
    complexity: int = 0
    """Of all functions together."""
    functions: int = 0


class Sizes:
    """What was counted in a project's files, and which of them have changed since."""

    def __init__(self, files: dict[str, Size] | None = None, changed: Iterable[str] = ()) -> None:
        self.files = files or {}
        """By their path in the project."""
        self.changed = frozenset(changed)
        self.is_counted = files is not None
        self.without_complexity: str | None = None
        """Why complexity is not known."""

    def after(self, changed: Iterable[str]) -> "Sizes":
        """The same files, of which some have changed."""
        next_one = Sizes(dict(self.files) if self.is_counted else None, changed)
        next_one.without_complexity = self.without_complexity
        return next_one

    @property
    def only(self) -> frozenset[str] | None:
        """The files that have to be counted; None means all."""
        return self.changed if self.is_counted and len(self.changed) <= MOST_CHANGED else None
