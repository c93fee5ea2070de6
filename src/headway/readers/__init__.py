"""Recordings of agents, read as events. The folder is the registry: one file per format, and nothing else.

A reader is a class named after its file (`claude_code.py`, `ClaudeCode`) with the four things that `Reader` lists. It
yields events with run, agent and time as far as its format tells them, and leaves `seq` alone: events are numbered
here, for each agent of each run, so they may come from several of them in turn. What it cannot read, and records of
a kind it has never heard of, it counts with `source.skip(why)`; records it knows and has no use for, it passes over.
It holds no more of a recording in memory than it has to. A reader of a shape that many programs write says
`general = True`, and is asked after those that know one program.
"""

import logging
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Protocol

from msgspec.structs import force_setattr

from headway.core.events import Event
from headway.sources import Head, Source, UnreadableError, sources_in

log = logging.getLogger("headway")


class Reader(Protocol):
    """One recorded format."""

    name: str
    """What `--reader` calls it."""
    title: str
    """What people call it."""

    def recognises(self, head: Head) -> bool:
        """Whether a recording that begins like this is in this format. No two readers may both say so."""

    def read(self, source: Source) -> Iterator[Event]:
        """The events of a recording, in order."""


class UnknownFormatError(ValueError):
    """No reader recognises a recording; the message names it and says what was tried."""


@cache
def readers() -> dict[str, Reader]:
    """The readers that come with Headway, by name."""
    found: dict[str, Reader] = {}
    for info in iter_modules(__path__):
        module = import_module(f"{__name__}.{info.name}")
        reader: Reader = getattr(module, info.name.title().replace("_", ""))()
        found[reader.name] = reader
    return found


@cache
def plugin_readers() -> dict[str, Reader]:
    """Readers of other installed packages, from the entry points `headway.readers`; looking for them is slow."""
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    found: dict[str, Reader] = {}
    for entry in entry_points(group="headway.readers"):
        try:
            reader: Reader = entry.load()()
            found[reader.name] = reader
        except Exception:
            log.exception("the reader %s of %s could not be loaded", entry.name, entry.value)
    return found


@cache
def _by_kind() -> tuple[list[Reader], list[Reader]]:
    """Readers that know one program, and those of general shapes, which are asked after them."""
    known = readers().values()
    general = [reader for reader in known if getattr(reader, "general", False)]
    return [reader for reader in known if reader not in general], general


def reader_for(source: Source, name: str | None = None) -> Reader:
    """The reader that was asked for, or the one that recognises the recording."""
    if name is not None:
        return _named(name)
    head = source.head()
    particular, general = _by_kind()
    found = _who_knows(particular, head.glance()) or _who_knows(particular, head) or _who_knows(general, head)
    found = found or _who_knows(plugin_readers().values(), head)
    if found is None and (fault := head.fault or source.broken_off):
        raise UnreadableError(fault)
    if found is None:
        raise UnknownFormatError(f"{source.name}: {_what_it_is(head)}")
    return found


def _who_knows(asked: Iterable[Reader], head: Head | None) -> Reader | None:
    if head is not None:
        for reader in asked:
            if knows(reader, head):
                return reader
    return None


def recordings_in(path: Path) -> Iterator[Source]:
    """A file as it is; a folder with everything in it that may be a recording, folders that are one included."""
    return sources_in(path, lambda head: any(knows(reader, head) for reader in readers().values()))


def knows(reader: Reader, head: Head) -> bool:
    """Whether a reader recognises a recording. One that stumbles over its beginning does not."""
    try:
        return reader.recognises(head)
    except Exception:  # anything may stand there, of any type, and no file may keep the others from being read
        log.debug("%s stumbled over the beginning of a recording", reader.name, exc_info=True)
        return False


def read(source: Source, reader: Reader | None = None) -> Iterator[Event]:
    """The events of a recording, numbered for each agent of each run."""
    reader = reader or reader_for(source)
    is_ours = readers().get(reader.name) is reader
    return numbered(reader.read(source) if is_ours else _read_by_plugin(source, reader))


def _read_by_plugin(source: Source, reader: Reader) -> Iterator[Event]:
    """The events of a recording. Where another package's reader fails, it is named, and what it read before counts."""
    has_read = False
    try:
        for event in reader.read(source):
            if not isinstance(event, Event):
                raise TypeError(f"it yields {type(event).__name__}, which is no event")
            yield event
            has_read = True
    except Exception as error:
        if isinstance(error, OSError) and not has_read:
            raise
        who, why = f"the reader {reader.name} ({type(reader).__module__}) failed", f"{type(error).__name__}: {error}"
        told = f"{who} at line {source.line}: {why}" if source.line else f"{who}: {why}"
        if not has_read:
            raise UnreadableError(told) from error
        source.skip(f"{who}: {why}")
        source.broken_off = told


def numbered(stream: Iterable[Event]) -> Iterator[Event]:
    """Give every event without a number the next one of its run and agent."""
    numbers: dict[tuple[str, str], int] = {}
    run = agent = ""
    number = 0
    for event in stream:
        if event.run != run or event.agent != agent:  # seldom: most are of the same agent as the one before
            numbers[run, agent] = number
            run, agent = event.run, event.agent
            number = numbers.get((run, agent), 0)
        if event.seq is None:
            number += 1
            force_setattr(event, "seq", number)  # nobody else has seen it yet, and a copy costs more than reading did
        else:
            number = max(number, event.seq)
        yield event


def _named(name: str) -> Reader:
    found = readers().get(name) or plugin_readers().get(name)
    if found is None:
        raise UnknownFormatError(f"there is no reader {name!r}; known are: {', '.join(readers() | plugin_readers())}")
    return found


def _what_it_is(head: Head) -> str:
    if not head.data.strip():
        return "a folder that is no recording" if head.names else "the file is empty"
    first = head.data.lstrip().splitlines()[0][:60].decode("utf-8", "replace")
    return f"not a recording that Headway knows (it begins with {first!r}); `headway scan --help` lists the formats"
