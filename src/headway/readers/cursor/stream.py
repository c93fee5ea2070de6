"""What `cursor-agent -p --output-format stream-json` prints: a call when it starts, and again when it is completed."""

from collections.abc import Iterator

from headway.core import events
from headway.core.events import Event
from headway.shapes.conversation import Conversation
from headway.shapes.message import arguments_of, output_of
from headway.shapes.tokens import beside_cache
from headway.shapes.values import Record, fields, text
from headway.sources import Source, seconds

_TYPES = frozenset(("assistant", "interaction_query", "result", "system", "thinking", "tool_call", "user"))
_ASIDE = frozenset(("hookAdditionalContexts", "startedAtMs", "completedAtMs", "toolCallId", "description"))
_BAD = ("error", "failure", "rejected", "permissionDenied", "timeout")
_TOKENS = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")


def is_stream(first: Record) -> bool:
    """By its first line, or by a call. The first line of Claude Code's stream is similar, but names its tools."""
    kind = first.get("type")
    if kind == "tool_call":
        return isinstance(first.get("tool_call"), dict) and "call_id" in first
    is_start = kind == "system" and first.get("subtype") == "init" and "apiKeySource" in first
    return is_start and "tools" not in first and "uuid" not in first


def read_stream(source: Source) -> Iterator[Event]:
    """The events of one run."""
    talk = Conversation()
    asked: set[str] = set()
    for record in source.records():
        kind, at = text(record.get("type")), seconds(record.get("timestamp_ms"))
        message = fields(record.get("message"))
        if kind == "system":
            talk = Conversation(text(record.get("session_id")))
            yield talk.started(record.get("model"), "cursor", record.get("cwd"), at)
        elif kind == "user":
            yield events.UserSpoke(run=talk.run, at=at, text=output_of(message.get("content")))
        elif kind == "assistant":
            yield events.AgentSpoke(run=talk.run, at=at, text=output_of(message.get("content")))
        elif kind == "tool_call":
            yield from _call(record, talk, asked, at)
        elif kind == "result":
            usage = fields(record.get("usage"))
            cost = usage.get("totalCost", usage.get("cost"))
            yield from talk.used(beside_cache(*map(usage.get, _TOKENS)), cost, at)
        elif kind not in _TYPES:
            source.skip(f"unknown type {kind!r}")


def _call(record: Record, talk: Conversation, asked: set[str], at: float | None) -> Iterator[Event]:
    id, batch = text(record.get("call_id")), text(record.get("model_call_id")) or None
    inside = fields(record.get("tool_call"))
    name = next((name for name, value in inside.items() if isinstance(value, dict) and name not in _ASIDE), "")
    body = fields(inside.get(name))
    if name == "function":
        tool, given = text(body.get("name")), body.get("arguments")
    else:
        tool, given = name.removesuffix("ToolCall"), body.get("args")
    if id not in asked:
        asked.add(id)
        yield talk.asked(id, tool, arguments_of(given), batch, at)
    if record.get("subtype") == "completed":
        asked.discard(id)
        yield _result(id, fields(body.get("result")), talk, at)


def _result(id: str, result: Record, talk: Conversation, at: float | None) -> Event:
    """The result of a call: one field that says how it went, with the rest in it."""
    how = next((name for name in ("success", *_BAD) if name in result), "")
    inner = fields(result.get(how))
    code = inner.get("exitCode")
    both = [text(inner.get(name)) for name in ("stdout", "stderr") if text(inner.get(name))]
    output = "\n".join(both) or output_of(
        inner.get("content") or inner.get("errorMessage") or inner.get("error") or result
    )
    return events.ToolReturned(
        run=talk.run,
        at=at,
        call=id,
        output=output,
        failed=True if how in _BAD else None if code or not how else False,
        exit_code=code if type(code) is int else None,
        denied=how in ("rejected", "permissionDenied"),
    )
