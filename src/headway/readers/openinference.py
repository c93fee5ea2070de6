"""OpenInference traces, as Phoenix, Arize and their instrumentations record them.

Spans as OTLP JSON, one on each line as an SDK prints them, or as the rows of an exported table. Messages are flattened,
one attribute a field. The span of a tool knows its call's id only sometimes; otherwise it is the call of that tool
which the model asked for and no other span has carried out.
"""

from collections.abc import Iterator
from typing import Any

from headway.core.events import Event
from headway.shapes.flattened import listed, nested, whole
from headway.shapes.message import Message, arguments_of, output_of, read_message
from headway.shapes.otlp import Span
from headway.shapes.spans import first_spans, spans
from headway.shapes.trace import Moment, told
from headway.shapes.values import Record, amount, decoded, fields, items, text
from headway.sources import Head, Source
from headway.tools.spans import given_arguments

_KIND = "openinference.span.kind"
_KINDS = {"LLM": "model", "TOOL": "tool", "AGENT": "agent"}


class Openinference:
    """Traces of agents, recorded with OpenInference."""

    name = "openinference"
    title = "OpenInference traces (OTLP JSON or JSONL)"
    general = True

    def recognises(self, head: Head) -> bool:
        """By the kind that every span carries."""
        return any(_KIND in span.attributes for span in first_spans(head))

    def read(self, source: Source) -> Iterator[Event]:
        """One run for each session, or for each trace where none is named."""
        return told((_moment(span) for span in spans(source) if not span.is_log), _read)


def _read(item: Any) -> Message:
    return read_message(_message(whole(item)))


def _moment(span: Span) -> Moment:
    attributes = span.attributes
    kind = _KINDS.get(text(attributes.get(_KIND)).upper(), "")
    moment = Moment(span.id, kind, text(attributes.get("session.id")), span.trace, span.parent, span.start, span.end)
    if kind == "model":
        moment.model = text(attributes.get("llm.model_name"))
        moment.sent = listed(attributes, "llm.input_messages")
        moment.said = [_message(item) for item in nested(attributes, "llm.output_messages")]
        into, out = attributes.get("llm.token_count.prompt"), attributes.get("llm.token_count.completion")
        cached = attributes.get("llm.token_count.prompt_details.cache_read")
        written = attributes.get("llm.token_count.prompt_details.cache_write")
        counts = {"input_tokens": into, "output_tokens": out, "cached_tokens": cached, "cache_write_tokens": written}
        moment.usage = {name: count for name, count in counts.items() if count is not None}
        moment.cost = amount(attributes.get("llm.cost.total"))
    elif kind == "tool":
        _add_tool(moment, span)
    elif kind == "agent":
        moment.name = text(attributes.get("agent.name")) or span.name
    return moment


def _message(item: Any) -> Record:
    raw = fields(fields(item).get("message")) or _undotted(fields(item))
    parts = [
        fields(fields(part).get("message_content")) or _undotted(fields(part)) for part in items(raw.get("contents"))
    ]
    calls = [fields(fields(call).get("tool_call")) or _undotted(fields(call)) for call in items(raw.get("tool_calls"))]
    return {**raw, "content": raw.get("content") or parts, "tool_calls": calls}


def _undotted(raw: Record) -> Record:
    """In tables only the outermost names are taken apart: `message.role`, `tool_call.function.name`."""
    found: Record = {}
    for key, value in raw.items():
        *way, last = key.split(".")[1:] or [key]
        place = found.setdefault(way[0], {}) if way else found
        if isinstance(place, dict):  # and not a name that has a value besides
            place[last] = value
    return found


def _add_tool(moment: Moment, span: Span) -> None:
    attributes = span.attributes
    moment.name = text(attributes.get("tool.name")) or span.name
    given = given_arguments(attributes)
    moment.args = None if given is None else arguments_of(given)
    answer = decoded(attributes.get("output.value"))
    message = read_message(_inner(answer)) if isinstance(answer, dict) and _inner(answer).get("tool_call_id") else None
    moment.call = text(attributes.get("tool.id")) or text(attributes.get("tool_call.id"))
    moment.failed = True if span.failed else None
    if message and message.results:
        result = message.results[0]
        moment.call, moment.output = moment.call or result.call, result.output
        moment.failed = moment.failed or result.failed
    elif answer is not None:
        moment.output = output_of(answer)
    elif span.failed:
        moment.output = span.error


def _inner(answer: Record) -> Record:
    """LangChain's message, out of what is around it."""
    inner = fields(answer.get("data")) or fields(answer.get("kwargs")) or answer
    return {**inner, "role": "tool"}
