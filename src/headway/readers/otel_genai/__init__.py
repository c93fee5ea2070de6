"""OpenTelemetry traces after the conventions for generative AI, old and new.

Spans of model calls, tool calls and agents, as OTLP JSON (whole requests) or one span on each line. Messages stand in
attributes (new), in events of spans or logs (older), or flattened one attribute a field (oldest). Content is opt-in:
without it there are calls and usage, but no results.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import partial

from headway.core.events import Event
from headway.readers.otel_genai.messages import ROLES, add_messages, read_sent
from headway.shapes.message import arguments_of, output_of
from headway.shapes.otlp import Span
from headway.shapes.spans import first_spans, spans
from headway.shapes.trace import Moment, told
from headway.shapes.values import Record, amount, text
from headway.sources import Head, Source
from headway.tools.spans import ARGUMENTS, CALL, CONVERSATION, RESULT, TOKENS_IN, TOKENS_OUT, TOOL, first, span_kind

_AGENT = ("gen_ai.agent.id", "gen_ai.agent.name", "traceloop.entity.name")
_MODEL = ("gen_ai.response.model", "gen_ai.request.model")

_OTHERS = {"openinference.span.kind", "ai.operationId", "mlflow.spanType"}
"""What spans of other conventions carry: OpenInference, the Vercel AI SDK, MLflow."""


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
        return any(span_kind(span.attributes) or span.name in ROLES for span in found)

    def read(self, source: Source) -> Iterator[Event]:
        """One run for each conversation, or for each trace where none is named."""
        found: list[Span] = []
        logs: dict[tuple[str, str], list[Record]] = defaultdict(list)
        for span in spans(source):
            if span.is_log:
                logs[span.trace, span.id].append({"name": span.name, "attributes": span.attributes, "body": span.body})
            else:
                found.append(span)
        moments = (_moment(span, logs.get((span.trace, span.id), [])) for span in found)
        return told(moments, partial(read_sent, source=source))


def _moment(span: Span, logs: list[Record]) -> Moment:
    attributes, kind = span.attributes, span_kind(span.attributes)
    moment = Moment(span.id, kind, text(first(attributes, CONVERSATION)), span.trace, span.parent, span.start, span.end)
    moment.program = span.service if not span.service.startswith("unknown_service") else ""  # the SDKs' default
    moment.model = text(first(attributes, _MODEL))
    if kind == "tool":
        _add_tool(moment, span)
    elif kind:
        moment.name = text(first(attributes, _AGENT))
        moment.usage = {
            "input_tokens": first(attributes, TOKENS_IN),
            "output_tokens": first(attributes, TOKENS_OUT),
            "cached_tokens": attributes.get("gen_ai.usage.cache_read.input_tokens"),
            "cache_write_tokens": attributes.get("gen_ai.usage.cache_creation.input_tokens"),
        }
        moment.cost = amount(attributes.get("gen_ai.usage.cost"))
        add_messages(moment, attributes, [*span.events, *logs])
    return moment


def _add_tool(moment: Moment, span: Span) -> None:
    attributes = span.attributes
    moment.name = text(first(attributes, TOOL))
    moment.call = text(first(attributes, CALL))
    arguments = first(attributes, ARGUMENTS)
    moment.args = None if arguments is None else arguments_of(arguments)
    result = first(attributes, RESULT)
    moment.failed = True if span.failed or attributes.get("error.type") else None
    code = attributes.get("process.exit.code")
    moment.exit_code = code if type(code) is int else None
    if result is not None:
        moment.output = output_of(result)
    elif moment.failed:
        moment.output = span.error or text(attributes.get("error.type"))
