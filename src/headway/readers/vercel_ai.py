"""Telemetry of the Vercel AI SDK: spans `ai.generateText.doGenerate`, `ai.streamText.doStream` and `ai.toolCall`.

As OTLP JSON, or one span on each line. The span around them repeats the last answer and the sum of the tokens.
"""

from collections.abc import Iterator
from typing import Any

from headway.core.events import Event
from headway.shapes.ai_sdk import read_ai_sdk
from headway.shapes.message import arguments_of, output_of
from headway.shapes.otlp import Span
from headway.shapes.spans import first_spans, spans
from headway.shapes.tokens import with_cache
from headway.shapes.trace import Moment, told
from headway.shapes.values import decoded, fields, items, text
from headway.sources import Head, Source

_OPERATION = "ai.operationId"
_SESSION = ("ai.telemetry.metadata.sessionId", "ai.telemetry.metadata.threadId", "session.id")


class VercelAi:
    """Traces of agents built with the Vercel AI SDK."""

    name = "vercel-ai"
    title = "Vercel AI SDK telemetry (OTLP JSON or JSONL)"

    def recognises(self, head: Head) -> bool:
        """By the operation that every span of the SDK names."""
        return b"ai.operationId" in head.data and any(_OPERATION in span.attributes for span in first_spans(head))

    def read(self, source: Source) -> Iterator[Event]:
        """One run for each session that the telemetry's metadata names, or for each trace where none is named."""
        found = (span for span in spans(source) if not span.is_log and _OPERATION in span.attributes)
        return told(map(_moment, found), read_ai_sdk)


def _moment(span: Span) -> Moment:
    given = span.attributes
    operation = text(given.get(_OPERATION))
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


def _add_model(moment: Moment, given: dict[str, Any]) -> None:
    moment.model = text(given.get("ai.response.model")) or text(given.get("ai.model.id"))
    moment.sent = items(decoded(given.get("ai.prompt.messages")))
    calls = [fields(call) for call in items(decoded(given.get("ai.response.toolCalls")))]
    listed = [
        {"id": call.get("toolCallId"), "name": call.get("toolName"), "arguments": call.get("input", call.get("args"))}
        for call in calls
    ]
    moment.said = [{"role": "assistant", "content": text(given.get("ai.response.text")), "tool_calls": listed}]
    into = given.get("ai.usage.inputTokens", given.get("ai.usage.promptTokens"))
    out = given.get("ai.usage.outputTokens", given.get("ai.usage.completionTokens"))
    moment.usage = with_cache(into, out, given.get("ai.usage.cachedInputTokens"))


def _value(result: object) -> object:
    """A result, which was written as JSON even where it is a text."""
    if isinstance(result, str) and result.startswith('"'):
        found = decoded(f"[{result}]")
        return found[0] if isinstance(found, list) and found else result
    return decoded(result)
