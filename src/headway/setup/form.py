"""What every kind of settings file can do: take our hooks in, give them back, and tell which are there."""

import re
from typing import Protocol

_OURS = re.compile(r"""(^|[\s/\\"'])headway(\.exe)?["']?\s+hook(\s|$)""")


class UnfitError(Exception):
    """A settings file cannot be edited; the message names the place in it and the fix."""


class Form(Protocol):
    """One kind of settings file. Texts come without a byte order mark."""

    def installed(self, text: str) -> str:
        """The text with our hooks in it, and those of an earlier installation gone. An empty text is a new file."""
        ...

    def removed(self, text: str, original: str | None) -> str | None:
        """The text without our hooks; None if there was no file before. `original` is the text of the backup."""
        ...

    def commands(self, text: str) -> list[str]:
        """The command lines of our hooks in this text, each once."""
        ...


def is_ours(command: object) -> bool:
    """Whether a command line calls Headway's hook, from wherever it was installed."""
    return isinstance(command, str) and bool(_OURS.search(command))
