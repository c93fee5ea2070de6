"""OpenTelemetry traces after the conventions for generative AI, old and new.

Spans of model calls, tool calls and agents, as OTLP JSON (whole requests) or one span on each line.
"""

from collections.abc import Iterator

from headway.core.events import Event
from headway.shapes.span_names import MESSAGES, OPENINFERENCE, VERCEL, span_kind
from headway.shapes.spans import first_spans
from headway.sources import Head, Source

_OTHERS = {OPENINFERENCE, VERCEL, "mlflow.spanType"}
"""Attributes of spans that follow other conventions."""


class OtelGenai:
    """Traces of agents, recorded with OpenTelemetry."""

    name = "otel-genai"
    title = "OpenTelemetry GenAI traces (OTLP JSON or JSONL)"
    general = True

    def recognises(self, head: Head) -> bool:
        """By spans or logs with attributes of these conventions, unless they follow others as well."""
        found = first_spans(head)
        if any(_OTHERS & span.attributes.keys() or span.name.startswith("claude_code.") for span in found):
            return False
        return any(span_kind(span.attributes) or span.name in MESSAGES for span in found)

    def read(self, source: Source) -> Iterator[Event]:
        """One run for each conversation, or for each trace if none is named."""
        from headway.shapes.genai import genai_moment
        from headway.shapes.recorded_spans import recorded

        return recorded(source, genai_moment)
