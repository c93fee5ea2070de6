"""Spans of OpenInference. Messages are flattened, one attribute a field."""

from typing import Any

from headway.shapes.flattened import listed, nested, whole
from headway.shapes.message import Message, read_message
from headway.shapes.otlp import Span
from headway.shapes.span_names import OPENINFERENCE, REDACTED
from headway.shapes.span_tools import given_arguments, result_of
from headway.shapes.trace import Moment
from headway.shapes.values import Record, amount, fields, items, text

_KINDS = {"LLM": "model", "TOOL": "tool", "AGENT": "agent"}


def openinference_moment(span: Span, logs: list[Record] | None = None) -> Moment:
    """Interpret a span; log records have nothing more."""
    attributes = span.attributes
    if REDACTED in attributes.values():
        hidden = {name for name, value in attributes.items() if value == REDACTED and not name.startswith("llm.")}
        attributes = {name: value for name, value in attributes.items() if name not in hidden}
    kind = _KINDS.get(text(attributes.get(OPENINFERENCE)).upper(), "")
    moment = Moment(span.id, kind, text(attributes.get("session.id")), span.trace, span.parent, span.start, span.end)
    if kind == "model":
        _add_model(moment, attributes)
    elif kind == "tool":
        _add_tool(moment, attributes, span)
    elif kind == "agent":
        moment.name = text(attributes.get("agent.name")) or span.name
    return moment


def _add_model(moment: Moment, attributes: Record) -> None:
    moment.read = _read
    moment.model = text(attributes.get("llm.model_name"))
    moment.sent = listed(attributes, "llm.input_messages")
    moment.said = [_message(item) for item in nested(attributes, "llm.output_messages")]
    into, out = attributes.get("llm.token_count.prompt"), attributes.get("llm.token_count.completion")
    cached = attributes.get("llm.token_count.prompt_details.cache_read")
    written = attributes.get("llm.token_count.prompt_details.cache_write")
    counts = {"input_tokens": into, "output_tokens": out, "cached_tokens": cached, "cache_write_tokens": written}
    moment.usage = {name: count for name, count in counts.items() if count is not None}
    moment.cost = amount(attributes.get("llm.cost.total"))


def _read(item: Any) -> Message:
    return read_message(_message(whole(item)))


def _message(item: Any) -> Record:
    raw = fields(fields(item).get("message")) or _undotted(fields(item))
    parts = [
        fields(fields(part).get("message_content")) or _undotted(fields(part)) for part in items(raw.get("contents"))
    ]
    calls = [fields(fields(call).get("tool_call")) or _undotted(fields(call)) for call in items(raw.get("tool_calls"))]
    return _shown({**raw, "content": raw.get("content") or parts, "tool_calls": calls})


def _shown(message: Record) -> Record:
    """A message without its hidden parts; empty if the result of a tool was hidden."""
    content = message["content"]
    shown = [part for part in content if fields(part).get("text") != REDACTED] if isinstance(content, list) else content
    is_hidden = content == REDACTED or (bool(content) and not shown)
    if is_hidden and message.get("role") == "tool":
        return {}
    calls = [call for call in message["tool_calls"] if fields(call.get("function")).get("arguments") != REDACTED]
    return {**message, "content": None if is_hidden else shown, "tool_calls": calls}


def _undotted(raw: Record) -> Record:
    """In tables only the outermost names are taken apart: `message.role`, `tool_call.function.name`."""
    found: Record = {}
    for key, value in raw.items():
        *way, last = key.split(".")[1:] or [key]
        place = found.setdefault(way[0], {}) if way else found
        if isinstance(place, dict):  # and not a name that has a value besides
            place[last] = value
    return found


def _add_tool(moment: Moment, attributes: Record, span: Span) -> None:
    moment.name = text(attributes.get("tool.name")) or span.name
    moment.args = given_arguments(attributes)
    moment.call = text(attributes.get("tool.id")) or text(attributes.get("tool_call.id"))
    moment.failed = True if span.failed else None
    if (answer := attributes.get("output.value")) is not None:
        result = result_of(answer)
        moment.call, moment.output = moment.call or result.call, result.output
        moment.failed = moment.failed or result.failed
    elif span.failed:
        moment.output = span.error
