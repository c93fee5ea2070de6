"""Telemetry of the Vercel AI SDK, as OTLP JSON, or one span on each line."""

from collections.abc import Iterator

from headway.core.events import Event
from headway.shapes.span_names import VERCEL
from headway.shapes.spans import first_spans
from headway.sources import Head, Source


class VercelAi:
    """Traces of agents built with the Vercel AI SDK."""

    name = "vercel-ai"
    title = "Vercel AI SDK telemetry (OTLP JSON or JSONL)"

    def recognises(self, head: Head) -> bool:
        """By the operation that every span of the SDK names."""
        return b"ai.operationId" in head.data and any(VERCEL in span.attributes for span in first_spans(head))

    def read(self, source: Source) -> Iterator[Event]:
        """One run for each session that the telemetry's metadata names, or for each trace if none is named."""
        from headway.shapes.recorded_spans import recorded
        from headway.shapes.vercel import vercel_moment

        return recorded(source, vercel_moment)
