"""OpenInference traces, as Phoenix, Arize and their instrumentations record them.

Spans as OTLP JSON, one on each line as an SDK prints them, or as the rows of an exported table. The span of a tool has
the id of its call only sometimes. Otherwise it belongs to a call of that tool that the model requested and that no
other span has executed.
"""

from collections.abc import Iterator

from headway.core.events import Event
from headway.shapes.span_names import OPENINFERENCE
from headway.shapes.spans import first_spans
from headway.sources import Head, Source


class Openinference:
    """Traces of agents, recorded with OpenInference."""

    name = "openinference"
    title = "OpenInference traces (OTLP JSON or JSONL)"
    general = True

    def recognises(self, head: Head) -> bool:
        """By the kind that every span carries."""
        return any(OPENINFERENCE in span.attributes for span in first_spans(head))

    def read(self, source: Source) -> Iterator[Event]:
        """One run for each session, or for each trace if none is named."""
        from headway.shapes.openinference import openinference_moment
        from headway.shapes.recorded_spans import recorded

        return recorded(source, openinference_moment)
