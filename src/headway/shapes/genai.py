"""Spans after OpenTelemetry's conventions for generative AI, old and new.

Messages stand in attributes (new), in events of spans or logs (older), or flattened one attribute a field (oldest).
Content is opt-in: without it there are calls and usage, but no results.
"""

from headway.shapes.genai_messages import add_messages, read_sent, tool_events
from headway.shapes.message import output_of
from headway.shapes.otlp import Span
from headway.shapes.span_names import (
    CALL,
    CONVERSATION,
    RESULT,
    TOKENS_IN,
    TOKENS_OUT,
    TOOL,
    first,
    is_hidden,
    span_kind,
)
from headway.shapes.span_tools import given_arguments, result_of
from headway.shapes.trace import Moment
from headway.shapes.values import Record, amount, text

_AGENT = ("gen_ai.agent.id", "gen_ai.agent.name", "traceloop.entity.name")
_MODEL = ("gen_ai.response.model", "gen_ai.request.model")
_USAGE = {
    "input_tokens": TOKENS_IN,
    "output_tokens": TOKENS_OUT,
    "cached_tokens": ("gen_ai.usage.cache_read.input_tokens",),
    "cache_write_tokens": ("gen_ai.usage.cache_creation.input_tokens",),
}


def genai_moment(span: Span, logs: list[Record] | None = None) -> Moment:
    """What a span tells, with the log records that belong to it."""
    attributes, kind = span.attributes, span_kind(span.attributes)
    moment = Moment(span.id, kind, text(first(attributes, CONVERSATION)), span.trace, span.parent, span.start, span.end)
    moment.program = span.service if not span.service.startswith("unknown_service") else ""  # the SDKs' default
    moment.model = text(first(attributes, _MODEL))
    if kind == "tool":
        _add_tool(moment, span)
    elif kind:
        moment.read = read_sent
        moment.name = text(first(attributes, _AGENT))
        moment.usage = {
            name: count for name, names in _USAGE.items() if (count := first(attributes, names)) is not None
        }
        moment.cost = amount(attributes.get("gen_ai.usage.cost"))
        add_messages(moment, attributes, [*span.events, *logs] if logs else span.events)
    return moment


def _add_tool(moment: Moment, span: Span) -> None:
    attributes = span.attributes
    told_args, told_result = tool_events(span.events) if span.events else (None, None)
    moment.name = text(first(attributes, TOOL)) or span.name
    moment.call = text(first(attributes, CALL))
    moment.args = given_arguments(attributes)
    if moment.args is None:
        moment.args = told_args
    moment.failed = True if span.failed or attributes.get("error.type") else None
    code = attributes.get("process.exit.code")
    moment.exit_code = code if type(code) is int else None
    recorded = [
        attributes[name] for name in RESULT if attributes.get(name) is not None and not is_hidden(attributes, name)
    ]
    if recorded:
        result = result_of(recorded[0])
        moment.call, moment.output = moment.call or result.call, result.output
        moment.failed = moment.failed or result.failed
    elif told_result is not None:
        moment.output = output_of(told_result)
    elif not moment.args and not moment.failed:
        moment.args = None  # an empty object stands for what was left out
    if moment.failed and not moment.output:
        moment.output = span.error or text(attributes.get("error.type"))
