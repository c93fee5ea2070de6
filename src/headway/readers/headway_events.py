"""Headway's own format: one event as JSON on each line. `headway schema` prints its JSON Schema."""

from collections import defaultdict
from collections.abc import Iterator

import msgspec

from headway.core.events import AnyEvent, Event, EventError, decode_event
from headway.readers.source import Source, first_object

_TAGS = {str(kind.__struct_config__.tag) for kind in AnyEvent.__args__}


class HeadwayEvents:
    """Events as Headway writes them."""

    name = "headway"
    title = "Headway events (JSONL)"

    def recognises(self, head: bytes) -> bool:
        """By the type of the first event."""
        return first_object(head).get("type") in _TAGS

    def read(self, source: Source) -> Iterator[Event]:
        """Every line is an event; one without a sequence number gets the next one of its run and agent."""
        numbers: dict[tuple[str, str], int] = defaultdict(int)
        for record in source.records():
            try:
                event = decode_event(record)
            except EventError as error:
                source.skip(str(error))
                continue
            key = (event.run, event.agent)
            number = event.seq if event.seq is not None else numbers[key] + 1
            numbers[key] = max(numbers[key], number)
            yield event if event.seq is not None else msgspec.structs.replace(event, seq=number)
