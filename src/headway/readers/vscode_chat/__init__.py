"""Chats in VS Code, of Copilot and others: `<user>/workspaceStorage/<id>/chatSessions/<session>.json` or `.jsonl`.

What an agent did in a turn is in the metadata of its result: rounds with their calls, and the results by the ids of
the calls. A `.jsonl` file begins with the chat as it was, followed by changes to it.
"""

from collections.abc import Iterator
from typing import Any

from headway.core import events
from headway.core.events import Event
from headway.readers.vscode_chat.changes import replayed
from headway.shapes.conversation import Conversation
from headway.shapes.message import arguments_of
from headway.shapes.tokens import with_cache
from headway.shapes.values import Record, fields, items, text
from headway.sources import Head, Source, seconds

_DEEPEST = 40


class VscodeChat:
    """Chats in VS Code."""

    name = "vscode-chat"
    title = "VS Code chats (Copilot)"

    def recognises(self, head: Head) -> bool:
        """By requests of a session, in a document or in the first of its changes."""
        first = head.first
        session = fields(first.get("v")) if first.get("kind") == 0 else first
        is_session = "requests" in session and bool({"sessionId", "creationDate", "requesterUsername"} & session.keys())
        is_change = first.get("kind") in (1, 2) and items(first.get("k"))[:1] == ["requests"]
        return (is_session and isinstance(session["requests"], list)) or is_change

    def read(self, source: Source) -> Iterator[Event]:
        """One run."""
        is_log = "kind" in source.head().first
        session = replayed(source) if is_log else source.document(dict[str, Any]) or {}
        talk = Conversation(text(session.get("sessionId")))
        yield talk.started(None, "vscode-chat", at=seconds(session.get("creationDate")))
        for request in map(fields, items(session.get("requests"))):
            yield from _turn(request, talk)


def _turn(request: Record, talk: Conversation) -> Iterator[Event]:
    at, told = seconds(request.get("timestamp")), fields(fields(request.get("result")).get("metadata"))
    if said := text(fields(request.get("message")).get("text")):
        yield events.UserSpoke(run=talk.run, at=at, text=said)
    chosen = text(request.get("modelId"))
    model = told.get("resolvedModel") or ("" if chosen.endswith("/auto") else chosen)  # which is not a model's name
    yield from talk.answered_by(model, "vscode-chat", at=at)
    results = fields(told.get("toolCallResults"))
    rounds = [fields(one) for one in items(told.get("toolCallRounds"))]
    for one in rounds:
        yield from _round(one, results, talk, seconds(one.get("timestamp")) or at)
    if not rounds:
        answer = [text(part.get("value")) for part in map(fields, items(request.get("response"))) if "kind" not in part]
        if any(answer):
            yield events.AgentSpoke(run=talk.run, at=at, text="".join(answer))
    yield from _used(request, told, talk, at)


def _round(one: Record, results: Record, talk: Conversation, at: float | None) -> Iterator[Event]:
    if said := text(one.get("response")):
        yield events.AgentSpoke(run=talk.run, at=at, text=said)
    batch, calls = talk.turn(), [fields(call) for call in items(one.get("toolCalls"))]
    for call in calls:
        yield talk.asked(text(call.get("id")), text(call.get("name")), arguments_of(call.get("arguments")), batch, at)
    for id in (text(call.get("id")) for call in calls):
        if id in results:
            parts = [_words(part) for part in items(fields(results[id]).get("content"))]
            yield talk.answered(id, output="\n".join(filter(None, parts)), at=at)


def _words(part: object, depth: int = 0) -> str:
    """The text of a result: a value, or a tree of nodes with texts in it."""
    if isinstance(part, str):
        return part
    if depth > _DEEPEST:
        return ""
    if isinstance(part, list):
        return "".join(_words(item, depth + 1) for item in part)
    found = fields(part)
    return "".join(_words(found[name], depth + 1) for name in ("value", "text", "node", "children") if name in found)


def _used(request: Record, told: Record, talk: Conversation, at: float | None) -> Iterator[Event]:
    """Tokens of a turn; if its totals are not recorded, those of its last request to the model."""
    totals = [fields(one) for one in items(request.get("modelTotals"))]
    for one in totals:
        tokens = with_cache(one.get("inputTokens"), one.get("outputTokens"), one.get("cachedTokens"))
        yield from talk.used(tokens, at=at)
    if not totals:
        into = told.get("promptTokens") or request.get("promptTokens")
        yield from talk.used(with_cache(into, told.get("outputTokens") or request.get("completionTokens")), at=at)
