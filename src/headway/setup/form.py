"""Defines what every kind of settings file can do: add our hooks, remove them, and list them."""

import re
import shlex
from typing import Protocol

from headway.setup.command import CLIENT_NAME, GUARD

_MENTION = re.compile(r"""(^|[\s/\\"'])headway(\.exe)?["']?\s+hook(\s|$)""")
_CLIENT = re.compile(r"(?P<python>.+) -I -S (?P<client>.+/headway/hosts/hook/client\.py'?)")
_ADDRESS = re.compile(r"http://127\.0\.0\.1:[0-9]+/hook/[a-z-]+(\?mode=[a-z]+)?")
_OPTIONS = re.compile(r"( [A-Za-z0-9._=-]+)*")
_POWERSHELL, _END = "& ", "; exit 0"
_ON_WINDOWS = re.compile(
    r"""[A-Z]:\\([^\s"'%$`&|<>;()^]*\\)?headway\.exe | "[A-Z]:\\([^"%$`\x00-\x1f]*\\)?headway\.exe" """,
    re.VERBOSE | re.IGNORECASE,
)


class UnfitError(Exception):
    """A settings file cannot be edited; the message names the place in it and the fix."""


class Form(Protocol):
    """One kind of settings file. Texts come without a byte order mark."""

    def installed(self, text: str) -> str:
        """The text with our hooks, without those of an earlier installation. An empty text is a new file."""
        ...

    def removed(self, text: str, original: str | None) -> str | None:
        """The text without our hooks; None if there was no file before. `original` is the text of the backup."""
        ...

    def commands(self, text: str) -> list[str]:
        """The command lines of our hooks in this text, without duplicates."""
        ...

    def events(self, text: str) -> set[str]:
        """The events that have our hook in this text."""
        ...

    def mentions(self, text: str) -> list[str]:
        """The command lines in this text that mention Headway's hook, without duplicates."""
        ...


def is_ours(command: object) -> bool:
    """Whether a command line is one plain call of Headway's hook, wherever Headway is installed."""
    if not isinstance(command, str):
        return False
    if _ADDRESS.fullmatch(command) or _is_client(command):
        return True
    if command.startswith(_POWERSHELL) and command.endswith(_END):
        call = command[len(_POWERSHELL) : -len(_END)]
    else:
        call = command.removesuffix(GUARD)
    program, _, options = call.rpartition(" hook")
    return bool(_OPTIONS.fullmatch(options)) and is_program(program)


def is_mention(command: object) -> bool:
    """Whether a command line mentions Headway's hook. It may do anything else as well."""
    is_new = isinstance(command, str) and (CLIENT_NAME in command or bool(_ADDRESS.fullmatch(command)))
    return is_new or (isinstance(command, str) and bool(_MENTION.search(command)))


def _is_client(command: str) -> bool:
    """Whether a command line is one plain call of the service's client."""
    call, _, options = command.removesuffix(GUARD).partition(" --agent ")
    found = _CLIENT.fullmatch(call)
    return found is not None and bool(_OPTIONS.fullmatch(f" {options}")) and all(map(_is_path, found.groups()))


def _is_path(word: str) -> bool:
    """Whether a word is an absolute path in the usual quotes."""
    try:
        path = "".join(shlex.split(word))
    except ValueError:  # an open quote
        return False
    return path.startswith("/") and word == shlex.quote(path)


def is_program(word: str) -> bool:
    """Whether a word names Headway as `install` writes it: its bare name, or an absolute path in the usual quotes."""
    if word == "headway" or _ON_WINDOWS.fullmatch(word):
        return True
    return _is_path(word) and word.rstrip("'").endswith("/headway")
