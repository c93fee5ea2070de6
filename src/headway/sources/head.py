"""The beginning of a recording: what formats are recognised by."""

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

import msgspec

SIZE = 65_536
"""How much of a recording is looked at to recognise its format."""
LINES = 20
"""How many lines of it."""
FAULTS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What decoding something raises that is not what it should be."""

_SQLITE = b"SQLite format 3\0"
_ZIP = b"PK\x03\x04"
_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)'
_TOKEN = re.compile(_STRING + rb"|[][{},]", re.DOTALL)
_BRACKET = re.compile(rb'(?:[^]["{}]++|' + _STRING + rb")*+([][{}])", re.DOTALL)
"""The next bracket, past all that stands before it: far fewer than all tokens."""
_DEEPEST = 100
_CLOSERS = {b"{": b"}", b"[": b"]"}


class Head:
    """The first bytes of a recording, and the names in it where it is a folder, a zip or a database."""

    def __init__(self, data: bytes = b"", names: Callable[[], tuple[str, ...]] = tuple) -> None:
        self.data = data.removeprefix(b"\xef\xbb\xbf")
        self._list_names = names

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What is inside: the files of a folder (one level deep) or a zip, the tables of a SQLite database."""
        return self._list_names()

    @property
    def is_database(self) -> bool:
        """Whether this is a SQLite database."""
        return self.data.startswith(_SQLITE)

    @property
    def is_zip(self) -> bool:
        """Whether this is a zip archive."""
        return self.data.startswith(_ZIP)

    @property
    def document(self) -> Any:
        """The JSON value it begins with. One that goes on beyond these bytes is closed where they end."""
        return self._beginning[0]

    @cached_property
    def _beginning(self) -> tuple[Any, bool]:
        """The JSON value it begins with, and whether that is the first line, whole."""
        text = self.data.lstrip()
        if not text.startswith((b"{", b"[")):
            return None, False
        try:
            return msgspec.json.decode(text.split(b"\n", 1)[0]), True
        except FAULTS:
            pass
        try:
            return msgspec.json.decode(_mended(text)), False
        except FAULTS:
            return None, False

    @property
    def spans_lines(self) -> bool:
        """Whether it is one JSON document over several lines, and not one record on each."""
        text = self.data.lstrip()
        line, more, _ = text.partition(b"\n")
        return bool(more) and not _is_json(line) and isinstance(self.document, (dict, list))

    @cached_property
    def records(self) -> list[dict[str, Any]]:
        """The JSON objects on the first lines; of one large document, the objects it is or begins with."""
        document, is_line = self._beginning
        if isinstance(document, list):
            return [item for item in document if isinstance(item, dict)]
        if isinstance(document, dict) and not is_line:
            return [document]
        found = [document] if isinstance(document, dict) else []
        for line in self.data.lstrip().split(b"\n", LINES)[len(found) : LINES]:
            try:
                found.append(msgspec.json.decode(line, type=dict[str, Any]))
            except FAULTS:
                continue
        return found

    @property
    def first(self) -> dict[str, Any]:
        """The first JSON object: of the lines, of a list, or the document itself. Empty where there is none."""
        return self.records[0] if self.records else {}


def _is_json(text: bytes) -> bool:
    try:
        msgspec.json.decode(text)
    except FAULTS:
        return False
    return True


def _mended(text: bytes) -> bytes:
    """A JSON text that breaks off, closed after the last value that is whole."""
    open_now: list[bytes] = []
    end = 0
    while found := _BRACKET.match(text, end):
        mark = found[1]
        if mark in _CLOSERS:
            if len(open_now) == _DEEPEST:
                break
            open_now.append(_CLOSERS[mark])
        else:
            if open_now[-1:] != [mark]:
                break
            open_now.pop()
            if not open_now:
                return text[: found.end()]
        end = found.end()
    for token in _TOKEN.finditer(text, end):  # what came whole after the last bracket
        if token[0] in b"[]{}":
            break
        if token[0] == b",":
            end = token.start()
    return text[:end] + b"".join(reversed(open_now))
