"""Sessions of xAI's Grok CLI: the folder `~/.grok/sessions/<project>/<id>/`, or its `chat_history.jsonl` alone.

`chat_history.jsonl` has the model's input. `updates.jsonl` has times, failures, exit codes, tokens and cost.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from headway.core import events
from headway.core.events import Event
from headway.shapes.conversation import Conversation
from headway.shapes.message import arguments_of, output_of
from headway.shapes.tokens import with_cache
from headway.shapes.values import Record, amount, fields, items, text
from headway.sources import Head, Source, readable, seconds

_TYPES = frozenset(("assistant", "backend_tool_call", "reasoning", "system", "tool_result", "user"))
_KEYS = frozenset(
    ("content", "id", "model_id", "prompt_index", "summary", "synthetic_reason", "tool_call_id", "tool_calls", "type")
)
_HISTORY, _UPDATES, _SUMMARY = "chat_history.jsonl", "updates.jsonl", "summary.json"
_TICKS = 1e10
"""Ticks in a dollar."""


class _Fact(Struct, gc=False):
    """Facts about a call that were not sent to the model."""

    asked_at: float | None = None
    at: float | None = None
    failed: bool | None = None
    exit_code: int | None = None


class Grok:
    """Sessions of Grok CLI."""

    name = "grok"
    title = "Grok CLI sessions"

    def recognises(self, head: Head) -> bool:
        """By the files in its folder, or by records of its types that have a content and no role."""
        if not head.data:
            return {_HISTORY, _SUMMARY} <= set(head.names)
        first = head.first
        has_words = "content" in first and isinstance(first["content"], (str, list))
        return has_words and first.get("type") in _TYPES and first.keys() <= _KEYS and "summary" not in first

    def read(self, source: Source) -> Iterator[Event]:
        """One run."""
        if not source.is_folder:
            yield from _history(source, Conversation(), {}, None)
            return
        history, about = source.member(_HISTORY), source.member(_SUMMARY)
        updates = source.member(_UPDATES) if _UPDATES in source.names else Source(content=b"")
        info = fields(fields(about.document(dict[str, Any])).get("info"))
        talk = Conversation(text(info.get("id")) or (readable(source.path.name) if source.path else ""))
        facts: dict[str, _Fact] = {}
        turns: list[tuple[Record, float | None]] = []
        for record in updates.records():
            params = fields(record.get("params"))
            at = seconds(fields(params.get("_meta")).get("agentTimestampMs")) or seconds(record.get("timestamp"))
            _note(fields(params.get("update")), at, facts, turns)
        yield from _history(history, talk, facts, info.get("cwd"))
        for usage, at in turns:
            yield from _used(talk, usage, at)
        for member in (history, updates, about):
            source.count_in(member)


def _note(update: Record, at: float | None, facts: dict[str, _Fact], turns: list[tuple[Record, float | None]]) -> None:
    kind, call = update.get("sessionUpdate"), text(update.get("toolCallId"))
    if kind == "tool_call":
        facts[call] = _Fact(at)
    elif kind == "tool_call_update" and update.get("status") in ("completed", "failed"):
        code = fields(update.get("rawOutput")).get("exit_code")
        fact = facts.setdefault(call, _Fact())
        fact.at, fact.exit_code = at, code if type(code) is int else None
        fact.failed = True if update["status"] == "failed" else None if fact.exit_code else False
    elif kind == "turn_completed":
        turns.append((fields(update.get("usage")), at))


def _history(source: Source, talk: Conversation, facts: dict[str, _Fact], root: object) -> Iterator[Event]:
    yield talk.started(None, "grok", root)
    for record in source.records():
        kind, content = text(record.get("type")), output_of(record.get("content"))
        if kind == "assistant":
            calls = [fields(call) for call in items(record.get("tool_calls"))]
            at = next((fact.asked_at for call in calls if (fact := facts.get(text(call.get("id"))))), None)
            yield from talk.answered_by(record.get("model_id"), "grok", root, at)
            if content:
                yield events.AgentSpoke(run=talk.run, at=at, text=content)
            batch = talk.turn()
            for call in calls:
                args, id = arguments_of(call.get("arguments")), text(call.get("id"))
                yield talk.asked(id, text(call.get("name")), args, batch, facts.get(id, _Fact()).asked_at)
        elif kind == "tool_result":
            id = text(record.get("tool_call_id"))
            fact = facts.get(id, _Fact())
            yield talk.answered(id, "", content, fact.failed, fact.exit_code, fact.at)
        elif kind == "user" and "prompt_index" in record:
            said = content.removeprefix("<user_query>").removesuffix("</user_query>").strip()
            yield events.UserSpoke(run=talk.run, text=said)
        elif kind not in _TYPES:
            source.skip(f"unknown type {kind!r}")


def _used(talk: Conversation, usage: Record, at: float | None) -> Iterator[Event]:
    tokens = with_cache(*map(usage.get, ("inputTokens", "outputTokens", "cachedReadTokens", "cacheCreationTokens")))
    yield from talk.used(tokens, amount(usage.get("costUsdTicks")) / _TICKS, at)
