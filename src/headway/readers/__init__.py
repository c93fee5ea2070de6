"""Recordings of agents, read as events. The folder is the registry: one file per format."""

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from headway.readers.reader import Reader
from headway.readers.source import Source

_NOT_FORMATS = {"reader", "source"}


class UnknownFormatError(ValueError):
    """No reader recognises a recording; the message names it and says what was tried."""


@cache
def readers() -> dict[str, Reader]:
    """All readers, by name."""
    found: dict[str, Reader] = {}
    for info in iter_modules(__path__):
        if info.name not in _NOT_FORMATS:
            module = import_module(f"{__name__}.{info.name}")
            reader: Reader = getattr(module, info.name.title().replace("_", ""))()
            found[reader.name] = reader
    return found


def reader_for(source: Source, name: str | None = None) -> Reader:
    """The reader that was asked for, or the one that recognises the recording."""
    known = readers()
    if name is not None:
        if name not in known:
            raise UnknownFormatError(f"there is no reader {name!r}; known are: {', '.join(known)}")
        return known[name]
    head = source.head()
    for reader in known.values():
        if reader.recognises(head):
            return reader
    raise UnknownFormatError(f"{source.name}: {_what_it_is(head)}; expected one of: {_titles(known.values())}")


def _what_it_is(head: bytes) -> str:
    if not head.strip():
        return "the file is empty"
    first = head.lstrip().splitlines()[0][:60].decode("utf-8", "replace")
    return f"not a recording that Headway knows (it begins with {first!r})"


def _titles(known: Iterable[Reader]) -> str:
    return ", ".join(reader.title for reader in known)
