"""Recorded spans of one vocabulary as events."""

from collections import defaultdict
from collections.abc import Callable, Iterator

from headway.core.events import Event
from headway.shapes.contents import Contents
from headway.shapes.otlp import Span
from headway.shapes.spans import spans
from headway.shapes.trace import Moment, told
from headway.shapes.values import Record
from headway.sources import Source


def recorded(source: Source, moment_of: Callable[[Span, list[Record]], Moment]) -> Iterator[Event]:
    """The events of a file: one run for each conversation, or for each trace if none is named."""
    found: list[Span] = []
    logs: dict[tuple[str, str], list[Record]] = defaultdict(list)
    for span in spans(source):
        if span.is_log:
            logs[span.trace, span.id].append({"name": span.name, "attributes": span.attributes, "body": span.body})
        else:
            found.append(span)
    moments = [moment_of(span, logs.get((span.trace, span.id), [])) for span in found]
    contents = Contents()
    for moment, span in zip(moments, found, strict=True):
        source.missing = contents.missing(moment, span.scope) or source.missing
    return told(moments)
