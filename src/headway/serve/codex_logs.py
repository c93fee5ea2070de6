"""Reads the log records of Codex's own telemetry (`[otel]` in its settings): prompts, calls with results, tokens."""

from collections.abc import Iterator

from headway.core import events
from headway.core.events import Event
from headway.shapes.conversation import Conversation
from headway.shapes.message import arguments_of
from headway.shapes.otlp import Span
from headway.shapes.values import text


def events_of(talk: Conversation, span: Span) -> Iterator[Event]:
    """The events of one record; none if it is about something else."""
    given = span.attributes
    if span.name == "codex.user_prompt":
        yield events.UserSpoke(run=talk.run, at=span.start, text=text(given.get("prompt")))
    elif span.name == "codex.tool_result":
        call, tool = text(given.get("call_id")) or span.id, text(given.get("tool_name"))
        yield talk.asked(call, tool, arguments_of(given.get("arguments")), at=span.start)
        failed = str(given.get("success")).lower() == "false"
        yield talk.answered(call, tool, text(given.get("output")), failed=failed or None, at=span.end)
    elif span.name == "codex.sse_event" and given.get("input_token_count") is not None:
        usage = {"input_tokens": _count(given.get("input_token_count"))}
        usage["output_tokens"] = _count(given.get("output_token_count"))
        usage["cached_tokens"] = _count(given.get("cached_token_count"))
        yield from talk.used(usage, None, span.end)


def _count(value: object) -> int:
    """A number, which may be written as text."""
    return int(value) if isinstance(value, int) or (isinstance(value, str) and value.isdecimal()) else 0
