"""Recordings of agents, read as events. The folder is the registry: one file per format, and nothing else.

A reader is a class named after its file (`claude_code.py`, `ClaudeCode`) with the four things that `Reader` lists. It
yields events with run, agent and time as far as its format has them, and does not set `seq`: events are numbered here,
for each agent of each run, so they may come from several of them in turn. It counts records that it cannot read, or of
an unknown kind, with `source.skip(why)`, and ignores known records that it does not need. It keeps as little of a
recording in memory as possible. A reader of a shape that many programs write sets `general = True`, and is tried after
the readers for one program. A reader that yields one run after the other, each with all its events together, sets
`sorted_by_run = True`: then each run is reported as soon as it is over. If several readers recognise a recording, the
first one that reads something from it reads all of it (`opened`).
"""

import logging
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from importlib import import_module
from itertools import chain
from pathlib import Path
from pkgutil import iter_modules
from typing import Protocol

from msgspec.structs import force_setattr, replace

from headway.core.events import CREDIBLE, MAX_COUNT, MAX_TIME, Event, RunStarted
from headway.sources import Head, Source, UnreadableError, sources_in
from headway.sources.head import GENERAL, ONE_PROGRAM, may_begin

log = logging.getLogger("headway")

BEFORE = 1_000
"""Beginnings of runs that are read before a reader has to find something that was said or done."""


class Reader(Protocol):
    """One recorded format."""

    @property
    def name(self) -> str:
        """What `--reader` calls it."""

    @property
    def title(self) -> str:
        """What people call it."""

    def recognises(self, head: Head) -> bool:
        """Whether a recording that begins like this is in this format. No two readers may both say so."""

    def read(self, source: Source) -> Iterator[Event]:
        """The events of a recording, in order."""


class UnknownFormatError(ValueError):
    """No reader recognises a recording; the message names it and says what was tried."""


class NothingReadableError(UnreadableError):
    """A reader recognises a recording, but reads nothing from it that was said or done; the message says why."""

    def __init__(self, why: str, skipped: int) -> None:
        super().__init__(why)
        self.skipped = skipped
        """Records that could not be read; without any, there was nothing to read."""


class _OnDemand:
    """A reader of ours that is loaded when a recording may be in its format."""

    def __init__(self, module: str) -> None:
        self._module = module
        self.name = _OTHER_NAMES.get(module) or module.replace("_", "-")
        self.general = module in GENERAL or (module not in ONE_PROGRAM and getattr(self._reader, "general", False))

    @property
    def title(self) -> str:
        return self._reader.title

    @cached_property
    def _reader(self) -> Reader:
        module = import_module(f"{__name__}.{self._module}")
        reader: Reader = getattr(module, self._module.title().replace("_", ""))()
        return reader

    @property
    def sorted_by_run(self) -> bool:
        return getattr(self._reader, "sorted_by_run", False)

    def recognises(self, head: Head) -> bool:
        return may_begin(self._module, head) and self._reader.recognises(head)

    def read(self, source: Source) -> Iterator[Event]:
        return self._reader.read(source)


_OTHER_NAMES = {"continue_dev": "continue", "headway_events": "headway"}
"""Readers whose module is not called as they are."""


@cache
def readers() -> dict[str, Reader]:
    """The readers that come with Headway, by name."""
    found = [_OnDemand(info.name) for info in iter_modules(__path__)]
    return {reader.name: reader for reader in found}


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
    """The reader that was asked for, or the first that recognises the recording."""
    return next(_claims(source, name))


def opened(source: Source, name: str | None = None) -> tuple[Reader, Iterator[Event]]:
    """A recording's reader and its events. Of several readers that recognise it, the first that reads something wins.

    Raises UnknownFormatError if no reader recognises it, and NothingReadableError if none reads anything from it.
    """
    failed: list[NothingReadableError] = []
    for reader in _claims(source, name):
        source.start_over()
        stream = read(source, reader)
        begun = []
        for event in stream:
            begun.append(event)
            if not isinstance(event, RunStarted) or len(begun) > BEFORE:
                return reader, chain(begun, stream)
        failed.append(NothingReadableError(_why_nothing(source, reader, name), source.skipped))
    raise failed[0]


def _claims(source: Source, name: str | None) -> Iterator[Reader]:
    """The readers that recognise a recording, those that know one program first; at least one, or an error says why.

    Each is asked only when those before it read nothing: looking at less of a recording first saves time.
    """
    if name is not None:
        yield _named(name)
        return
    head = source.head()
    claimed: list[Reader] = []
    for asked, look in _looks(source, head):
        for reader in asked:
            if reader not in claimed and knows(reader, look):
                claimed.append(reader)
                yield reader
    if not claimed:
        if fault := head.fault or source.broken_off:
            raise UnreadableError(fault)
        raise UnknownFormatError(f"{source.name}: {_what_it_is(head, source.path)}")


def _looks(source: Source, head: Head) -> Iterator[tuple[Iterable[Reader], Head]]:
    """Who is asked in turn, and what of the recording they are shown."""
    particular, general = _by_kind()
    if glance := head.glance():
        yield particular, glance
    yield particular, head
    yield general, head
    if outline := source.outline(head):
        yield particular, outline
        yield general, outline
    yield plugin_readers().values(), head


def recordings_in(path: Path) -> Iterator[Source]:
    """A file as it is; a folder with everything in it that may be a recording, folders that are one included."""
    return sources_in(path, is_recording)


def is_recording(head: Head) -> bool:
    """Whether a reader of ours recognises a recording that begins like this."""
    return any(knows(reader, head) for reader in readers().values())


def knows(reader: Reader, head: Head) -> bool:
    """Whether a reader recognises a recording. One that stumbles over its beginning does not."""
    try:
        return reader.recognises(head)
    except Exception:  # anything may stand there, of any type, and no file may keep the others from being read
        log.debug("%s failed on the beginning of a recording", reader.name, exc_info=True)
        return False


def read(source: Source, reader: Reader | None = None) -> Iterator[Event]:
    """The events of a recording, numbered for each agent of each run."""
    if reader is None:
        return opened(source)[1]
    is_ours = readers().get(reader.name) is reader
    return numbered(reader.read(source) if is_ours else _read_by_plugin(source, reader))


def _read_by_plugin(source: Source, reader: Reader) -> Iterator[Event]:
    """The events of a recording. Where another package's reader fails, it is named, and what it read before counts."""
    has_read = False
    try:
        for event in reader.read(source):
            if not isinstance(event, Event):
                raise TypeError(f"it yields {type(event).__name__}, which is not an event")
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
    """Give every event without a number the next one of its run and agent, and drop implausible counts and times."""
    numbers: dict[tuple[str, str], int] = {}
    run = agent = ""
    number = 0
    for event in stream:
        if event.run != run or event.agent != agent:  # seldom: most are of the same agent as the one before
            numbers[run, agent] = number
            run, agent = event.run, event.agent
            number = numbers.get((run, agent), 0)
        at, seq, limited = event.at, event.seq, CREDIBLE.get(type(event))
        if at is not None and not -MAX_TIME < at < MAX_TIME:
            event = replace(event, at=None)
        if limited is not None:
            event = limited(event)
        if seq is None or seq > MAX_COUNT:
            number += 1
            force_setattr(event, "seq", number)  # no other code has seen it yet, and a copy is slow
        else:
            number = max(number, seq)
        yield event


def _named(name: str) -> Reader:
    found = readers().get(name) or plugin_readers().get(name)
    if found is None:
        raise UnknownFormatError(f"no reader {name!r}; expected one of: {', '.join(readers() | plugin_readers())}")
    return found


def _why_nothing(source: Source, reader: Reader, name: str | None) -> str:
    known = f"{source.name}: {'recognised' if name is None else 'read'} as {reader.name}, but"
    if source.told_by:
        return f"{known} {source.told_by} has the same content"
    if not source.skipped:
        return f"{known} nothing that was said or done is in it"
    skipped = f"{source.skipped:,} of its records could not be read"
    return f"{known} {skipped}, and nothing that was said or done is in the rest; {source.first_fault}"


def _what_it_is(head: Head, path: Path | None) -> str:
    from headway.sources.encrypted import is_encrypted, why_unread  # after a mistake
    from headway.sources.table import NEEDED

    if path and is_encrypted([path.name]):
        return why_unread(path)
    if not head.data.strip():
        return "a folder that is not a recording" if head.names else "the file is empty"
    if head.is_parquet and not head.names:
        return f"a Parquet file; {NEEDED}"
    first = head.data.lstrip().splitlines()[0][:60].decode("utf-8", "replace")
    return f"not a recording that Headway knows (it begins with {first!r}); `headway scan --help` lists the formats"
