"""Headway's own format: one event as JSON on each line. `headway schema` prints its JSON Schema."""

from collections.abc import Iterator

import msgspec

from headway.core.events import AnyEvent, Event, EventError, IterationEnded, decode_event
from headway.sources import Head, Source

_TAGS = {str(kind.__struct_config__.tag) for kind in AnyEvent.__args__}


class HeadwayEvents:
    """Events as Headway writes them."""

    name = "headway"
    title = "Headway events (JSONL)"

    def recognises(self, head: Head) -> bool:
        """By the type of the first event."""
        return str(head.first.get("type")) in _TAGS

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
