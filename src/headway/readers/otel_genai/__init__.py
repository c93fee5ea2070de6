"""OpenTelemetry traces after the conventions for generative AI, old and new.

Spans of model calls, tool calls and agents, as OTLP JSON (whole requests) or one span on each line. Messages stand in
attributes (new), in events of spans or logs (older), or flattened one attribute a field (oldest). Content is opt-in:
without it there are calls and usage, but no results.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from headway.core.events import Event
from headway.readers.otel_genai.messages import ROLES, add_messages
from headway.shapes.message import arguments_of, output_of
from headway.shapes.otlp import Span, first_spans, spans
from headway.shapes.trace import Moment, told
from headway.shapes.values import Record, amount, text
from headway.sources import Head, Source

_KINDS = {
    "chat": "model", "generate_content": "model", "text_completion": "model", "completion": "model",
    "execute_tool": "tool", "tool": "tool",
    "invoke_agent": "agent", "invoke_workflow": "agent", "agent": "agent", "workflow": "agent",
}  # fmt: skip
_TOOL = ("gen_ai.tool.name", "ai.toolCall.name", "traceloop.entity.name")
_ARGUMENTS = ("gen_ai.tool.call.arguments", "tool_arguments", "ai.toolCall.args", "traceloop.entity.input")
_RESULT = ("gen_ai.tool.call.result", "tool_response", "ai.toolCall.result", "traceloop.entity.output")
_CALL = ("gen_ai.tool.call.id", "ai.toolCall.id")
_RUN = ("gen_ai.conversation.id", "session.id", "traceloop.association.properties.session_id")
_AGENT = ("gen_ai.agent.id", "gen_ai.agent.name", "traceloop.entity.name")
_MODEL = ("gen_ai.response.model", "gen_ai.request.model")
_IN = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens")
_OUT = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens")


class OtelGenai:
    """Traces of agents, recorded with OpenTelemetry."""

    name = "otel-genai"
    title = "OpenTelemetry GenAI traces (OTLP JSON or JSONL)"

    def recognises(self, head: Head) -> bool:
        """By spans or logs with attributes of these conventions, unless they follow others as well."""
        found = first_spans(head)
        if any("openinference.span.kind" in span.attributes or span.name.startswith("claude_code.") for span in found):
            return False
        return any(_kind(span) or span.name in ROLES for span in found)

    def read(self, source: Source) -> Iterator[Event]:
        """One run for each conversation, or for each trace where none is named."""
        found: list[Span] = []
        logs: dict[tuple[str, str], list[Record]] = defaultdict(list)
        for span in spans(source):
            if span.is_log:
                logs[span.trace, span.id].append({"name": span.name, "attributes": span.attributes, "body": span.body})
            else:
                found.append(span)
        return told(_moment(span, logs.get((span.trace, span.id), [])) for span in found)


def _kind(span: Span) -> str:
    attributes = span.attributes
    operation = attributes.get("gen_ai.operation.name") or attributes.get("traceloop.span.kind")
    kind = _KINDS.get(text(operation) or text(attributes.get("llm.request.type")), "")
    if not kind and (_first(attributes, _TOOL[:2]) and _first(attributes, _CALL)):
        return "tool"
    return kind or ("model" if attributes.get("gen_ai.request.model") and not operation else "")


def _first(attributes: Record, names: tuple[str, ...]) -> Any:
    return next((attributes[name] for name in names if attributes.get(name) not in (None, "")), None)


def _moment(span: Span, logs: list[Record]) -> Moment:
    attributes, kind = span.attributes, _kind(span)
    moment = Moment(span.id, kind, text(_first(attributes, _RUN)), span.trace, span.parent, span.start, span.end)
    moment.program = span.service if not span.service.startswith("unknown_service") else ""  # the SDKs' default
    moment.model = text(_first(attributes, _MODEL))
    if kind == "tool":
        _add_tool(moment, span)
    elif kind:
        moment.name = text(_first(attributes, _AGENT))
        moment.usage = {"input_tokens": _first(attributes, _IN), "output_tokens": _first(attributes, _OUT)}
        moment.cost = amount(attributes.get("gen_ai.usage.cost"))
        add_messages(moment, attributes, [*span.events, *logs])
    return moment


def _add_tool(moment: Moment, span: Span) -> None:
    attributes = span.attributes
    moment.name = text(_first(attributes, _TOOL))
    moment.call = text(_first(attributes, _CALL))
    arguments = _first(attributes, _ARGUMENTS)
    moment.args = None if arguments is None else arguments_of(arguments)
    result = _first(attributes, _RESULT)
    moment.failed = True if span.failed or attributes.get("error.type") else None
    code = attributes.get("process.exit.code")
    moment.exit_code = code if type(code) is int else None
    if result is not None:
        moment.output = output_of(result)
    elif moment.failed:
        moment.output = span.error or text(attributes.get("error.type"))
