"""What a reader is: it knows one recorded format, and turns it into events."""

from collections.abc import Iterator
from typing import Protocol

from headway.core.events import Event
from headway.readers.source import Source


class Reader(Protocol):
    """One recorded format."""

    name: str
    """What `--reader` calls it."""
    title: str
    """What people call it."""

    def recognises(self, head: bytes) -> bool:
        """Whether a recording that begins like this is in this format."""

    def read(self, source: Source) -> Iterator[Event]:
        """The events of a recording, in order. What cannot be read is counted with `source.skip()`."""
