"""Spans of the Vercel AI SDK: `ai.generateText.doGenerate`, `ai.streamText.doStream` and `ai.toolCall`.

The span around them repeats the last answer and the sum of the tokens.
"""

from headway.shapes.ai_sdk import read_ai_sdk
from headway.shapes.message import arguments_of, output_of
from headway.shapes.otlp import Span
from headway.shapes.span_names import VERCEL
from headway.shapes.tokens import with_cache
from headway.shapes.trace import Moment
from headway.shapes.values import Record, decoded, fields, items, text

_SESSION = ("ai.telemetry.metadata.sessionId", "ai.telemetry.metadata.threadId", "session.id")


def vercel_moment(span: Span, logs: list[Record] | None = None) -> Moment:
    """Interpret a span; log records have nothing more."""
    given = span.attributes
    operation = text(given.get(VERCEL))
    is_model = operation.endswith((".doGenerate", ".doStream"))
    kind = "model" if is_model else "tool" if operation == "ai.toolCall" else ""
    run = next((text(given[name]) for name in _SESSION if text(given.get(name))), "")
    moment = Moment(span.id, kind, run, span.trace, span.parent, span.start, span.end)
    if kind == "model":
        _add_model(moment, given)
    elif kind == "tool":
        moment.name, moment.call = text(given.get("ai.toolCall.name")), text(given.get("ai.toolCall.id"))
        args, result = given.get("ai.toolCall.args"), given.get("ai.toolCall.result")
        moment.args = None if args is None else arguments_of(args)
        moment.failed = True if span.failed else None
        moment.output = span.error if span.failed else None if result is None else output_of(_value(result))
    return moment


def _add_model(moment: Moment, given: Record) -> None:
    moment.read = read_ai_sdk
    moment.model = text(given.get("ai.response.model")) or text(given.get("ai.model.id"))
    moment.sent = items(decoded(given.get("ai.prompt.messages")))
    calls = [fields(call) for call in items(decoded(given.get("ai.response.toolCalls")))]
    listed = [
        {"id": call.get("toolCallId"), "name": call.get("toolName"), "arguments": call.get("input", call.get("args"))}
        for call in calls
    ]
    said = text(given.get("ai.response.text"))
    if said or listed:
        moment.said = [{"role": "assistant", "content": said, "tool_calls": listed}]
    into = given.get("ai.usage.inputTokens", given.get("ai.usage.promptTokens"))
    out = given.get("ai.usage.outputTokens", given.get("ai.usage.completionTokens"))
    moment.usage = with_cache(into, out, given.get("ai.usage.cachedInputTokens"))


def _value(result: object) -> object:
    """A result, which was written as JSON even if it is a text."""
    if isinstance(result, str) and result.startswith('"'):
        found = decoded(f"[{result}]")
        return found[0] if isinstance(found, list) and found else result
    return decoded(result)
