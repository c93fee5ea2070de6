"""Threads of Amp: `~/.local/share/amp/threads/T-<id>.json`.

Calls and results are blocks, as in Anthropic's API; a result says in `run` how the call went.
"""

from collections.abc import Iterator
from typing import Any

from headway.core import events
from headway.core.events import Event
from headway.shapes.conversation import Conversation
from headway.shapes.message import arguments_of, output_of
from headway.shapes.tokens import beside_cache, with_cache
from headway.shapes.values import Record, fields, items, text
from headway.sources import Head, Source, seconds

_BAD = frozenset(("cancelled", "error", "rejected-by-user", "blocked"))
_DENIED = frozenset(("rejected-by-user", "blocked"))
_OVER = frozenset(("done", *_BAD))
_TOKENS = ("outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")


class Amp:
    """Threads of Amp."""

    name = "amp"
    title = "Amp threads"

    def recognises(self, head: Head) -> bool:
        """By the name of the thread, beside its version and the time it was made."""
        first = head.first
        return {"v", "created", "messages"} <= first.keys() and text(first.get("id")).startswith("T-")

    def read(self, source: Source) -> Iterator[Event]:
        """One run."""
        thread = source.document(dict[str, Any]) or {}
        talk = Conversation(text(thread.get("id")))
        trees = items(fields(fields(thread.get("env")).get("initial")).get("trees"))
        folder = text(fields(trees[0]).get("uri")).removeprefix("file://") if trees else None
        at = seconds(thread.get("created"))
        yield talk.started(None, "amp", folder, at)
        for raw in items(thread.get("messages")):
            message = fields(raw)
            at = seconds(fields(message.get("meta")).get("sentAt")) or at
            usage = fields(message.get("usage"))
            at = seconds(usage.get("timestamp")) or at
            yield from talk.answered_by(usage.get("model"), "amp", folder, at)
            yield from _blocks(message, talk, at)
            yield from talk.used(_tokens(usage), None, at)


def _tokens(usage: Record) -> Record:
    """Newer threads contain the whole prompt as well as its uncached part."""
    others = tuple(map(usage.get, _TOKENS))
    total = usage.get("totalInputTokens")
    return with_cache(total, *others) if total else beside_cache(usage.get("inputTokens"), *others)


def _blocks(message: Record, talk: Conversation, at: float | None) -> Iterator[Event]:
    batch = talk.turn()
    for block in map(fields, items(message.get("content"))):
        kind = block.get("type")
        if kind == "text" and text(block.get("text")):
            spoke = events.UserSpoke if message.get("role") == "user" else events.AgentSpoke
            yield spoke(run=talk.run, at=at, text=block["text"])
        elif kind == "tool_use":
            yield talk.asked(
                text(block.get("id")), text(block.get("name")), arguments_of(block.get("input")), batch, at
            )
        elif kind == "tool_result" and text(fields(block.get("run")).get("status")) in _OVER:
            yield _result(text(block.get("toolUseID")), fields(block["run"]), talk, at)


def _result(call: str, run: Record, talk: Conversation, at: float | None) -> Event:
    """The result of a call. A command that failed counts as done; only its exit code shows the failure."""
    status, result = run["status"], run.get("result")
    code = fields(result).get("exitCode")
    said = fields(result).get("output") if "output" in fields(result) else result
    error = fields(run.get("error")).get("message") or run.get("error") or run.get("reason")
    return events.ToolReturned(
        run=talk.run,
        at=at,
        call=call,
        output=output_of(said) or output_of(error),
        failed=True if status in _BAD else None if code else False,
        exit_code=code if type(code) is int else None,
        denied=status in _DENIED,
    )
