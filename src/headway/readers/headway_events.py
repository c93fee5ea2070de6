"""Headway's own format: one event as JSON on each line. `headway schema` prints its JSON Schema."""

from collections.abc import Iterator

import msgspec

from headway.core.events import AnyEvent, Event, EventError, IterationEnded, decode_event
from headway.sources import Head, Source

_FIELDS = {str(kind.__struct_config__.tag): {"type", *kind.__struct_fields__} for kind in AnyEvent.__args__}
"""What each type of event may hold. Other programs write records of the types `used` and `stopped`, too."""


class HeadwayEvents:
    """Events as Headway writes them."""

    name = "headway"
    title = "Headway events (JSONL)"

    def recognises(self, head: Head) -> bool:
        """By the type of the first event, and by its having nothing that such an event has not."""
        first = head.first
        return "type" in first and first.keys() <= _FIELDS.get(str(first["type"]), set())

    def read(self, source: Source) -> Iterator[Event]:
        """Every line is an event."""
        for record in source.records():
            try:
                event = decode_event(record)
                if isinstance(event, IterationEnded):
                    msgspec.msgpack.encode(event)  # a session that took it in has to be saved
            except EventError as error:
                source.skip(str(error))
            except OverflowError:
                source.skip("a number of more than 64 bits")
            else:
                yield event
