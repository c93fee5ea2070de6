"""Spans that follow OpenTelemetry's conventions for generative AI, old and new.

Messages are in attributes (new), in events of spans or logs (older), or flattened, one attribute a field (oldest).
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
    first_text,
    is_hidden,
    span_kind,
)
from headway.shapes.span_tools import given_arguments, result_of
from headway.shapes.trace import Moment
from headway.shapes.values import Record, amount, text

_AGENT = ("gen_ai.agent.id", "gen_ai.agent.name", "traceloop.entity.name")
_MODEL = ("gen_ai.response.model", "gen_ai.request.model")
_USAGE = {
    **dict.fromkeys(TOKENS_IN, "input_tokens"),
    **dict.fromkeys(TOKENS_OUT, "output_tokens"),
    "gen_ai.usage.cache_read.input_tokens": "cached_tokens",
    "gen_ai.usage.cache_write.input_tokens": "cache_write_tokens",
    "gen_ai.usage.cache_creation.input_tokens": "cache_write_tokens",
}
"""The names of each count in a usage; if a count has two names, the first one with a value counts."""


def genai_moment(span: Span, logs: list[Record] | None = None) -> Moment:
    """Interpret a span, with the log records that belong to it."""
    attributes, kind = span.attributes, span_kind(span.attributes)
    moment = Moment(span.id, kind, first_text(attributes, CONVERSATION), span.trace, span.parent, span.start, span.end)
    if span.service and not span.service.startswith("unknown_service"):  # the SDKs' default
        moment.program = span.service
    moment.model = first_text(attributes, _MODEL)
    if kind == "tool":
        _add_tool(moment, span)
    elif kind:
        moment.read = read_sent
        moment.name = first_text(attributes, _AGENT)
        for name, counted in _USAGE.items():
            if (count := attributes.get(name)) is not None and count != "" and counted not in moment.usage:
                moment.usage[counted] = count
        if cost := attributes.get("gen_ai.usage.cost"):
            moment.cost = amount(cost)
        add_messages(moment, attributes, [*span.events, *logs] if logs else span.events)
    return moment


def _add_tool(moment: Moment, span: Span) -> None:
    attributes = span.attributes
    told_args, told_result = tool_events(span.events) if span.events else (None, None)
    moment.name = first_text(attributes, TOOL) or span.name
    moment.call = first_text(attributes, CALL)
    moment.args = given_arguments(attributes)
    if moment.args is None:
        moment.args = told_args
    moment.failed = True if span.failed or attributes.get("error.type") else None
    code = attributes.get("process.exit.code")
    moment.exit_code = code if type(code) is int else None
    recorded = _recorded_result(attributes)
    if recorded is not None:
        result = result_of(recorded)
        moment.call, moment.output = moment.call or result.call, result.output
        moment.failed = moment.failed or result.failed
    elif told_result is not None:
        moment.output = output_of(told_result)
    elif not moment.args and not moment.failed:
        moment.args = None  # an empty object stands for content that was left out
    if moment.failed and not moment.output:
        moment.output = span.error or text(attributes.get("error.type"))


def _recorded_result(attributes: Record) -> object:
    for name in RESULT:
        if attributes.get(name) is not None and not is_hidden(attributes, name):
            return attributes[name]
    return None
