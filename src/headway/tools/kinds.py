"""The noun of this room: what a call *does*, the same for every agent."""

from typing import Final, Literal, get_args

import msgspec

Kind = Literal[
    "read", "search", "list", "write", "edit", "run", "test", "build", "vcs",
    "web", "plan", "delegate", "poll", "ask", "other",
]  # fmt: skip

KINDS: Final[frozenset[str]] = frozenset(get_args(Kind))

END: Final = 1_000_000_000
"""The line number that means "to the end". Lines counted from the end lie just below it: the last ten are END-9…END."""

MOST_PATHS: Final = 20
"""A call that names more files than this is remembered by its first ones."""

LONGEST_LINE: Final = 4_000
"""Characters of a command that are read."""

LONGEST_TEXT: Final = 500
"""Commands and queries are clipped here: they are for comparing and showing, not for keeping."""


class Meaning(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one tool call does, whatever its agent calls it."""

    kind: Kind = "other"
    """Read, search, edit, test, …"""
    path: str | None = None
    """The file or folder it is about."""
    paths: tuple[str, ...] = ()
    """All files and folders it is about, when there are several."""
    lines: tuple[int, int] | None = None
    """First and last line, counted from 1, both included; None is the whole file, or unknown."""
    query: str | None = None
    """The pattern searched for, the address or words asked of the web, the question put to the user."""
    command: str | None = None
    """The shell command, with its white space evened out."""
    changes: bool = False
    """Whether files may be different afterwards."""
    runs: bool = False
    """Whether it runs something besides: when `sed -i … && pytest` fails, the files are usually changed."""
    waits: bool = False
    """Whether it lets time pass, so that asking again may bring a new answer."""
    idle: bool = False
    """It can have no effect and shows nothing but its own words: `echo thinking`, `true`, a comment."""
    unknown: bool = False
    """The tool is unknown and its name says nothing: it may do anything."""

    @property
    def may_change_anything(self) -> bool:
        """Whether it runs something whose effect on files is not known."""
        return self.kind in ("run", "build", "delegate") or self.runs or self.unknown
