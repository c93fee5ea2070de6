"""Headway's own format: one event as JSON on each line. `headway schema` prints its JSON Schema."""

from collections.abc import Iterator
from typing import Any

import msgspec

from headway.core.events import AnyEvent, Event, EventError, IterationEnded, decode_event
from headway.rolling.forgiving import FAULTS, decoder_of, from_json
from headway.sources import Head, Source

_FIELDS = {str(kind.__struct_config__.tag): {"type", *kind.__struct_fields__} for kind in AnyEvent.__args__}
"""What each type of event may hold. Other programs write records of the types `used` and `stopped`, too."""


class HeadwayEvents:
    """Events as Headway writes them."""

    name = "headway"
    title = "Headway events (JSONL)"

    def recognises(self, head: Head) -> bool:
        """By the type of the first event, which must not have fields that such an event lacks."""
        first = head.first
        return "type" in first and first.keys() <= _FIELDS.get(str(first["type"]), set())

    def read(self, source: Source) -> Iterator[Event]:
        """Every line is an event."""
        decode = decoder_of(AnyEvent).decode
        for line in source.lines():
            event: Event | None
            try:
                event = decode(line)
            except FAULTS:
                event = _with_small_faults(line, source)
            if event is not None and _can_be_saved(event, source):
                yield event


def _with_small_faults(line: bytes, source: Source) -> Event | None:
    """The event on a line that has to be repaired first; None if that does not help, which is counted."""
    try:
        return decode_event(from_json(line, dict[str, Any]))
    except (*FAULTS, EventError) as error:
        source.skip(str(error))
        return None


def _can_be_saved(event: Event, source: Source) -> bool:
    """Whether a session with this event could be saved, because measurements of a round may be too large."""
    try:
        if isinstance(event, IterationEnded):
            msgspec.msgpack.encode(event)
    except OverflowError:
        source.skip("a number of more than 64 bits")
        return False
    return True
