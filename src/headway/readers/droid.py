"""Sessions of Factory's Droid: `~/.factory/sessions/<project>/<id>.jsonl`, with `<id>.settings.json` beside it.

The session has the messages, in the shape of Anthropic's API; the settings have the model and the tokens.
"""

from collections.abc import Iterator
from typing import Any

from headway.core import events
from headway.core.events import Event
from headway.shapes.conversation import Conversation
from headway.shapes.message import read_message
from headway.shapes.tokens import beside_cache
from headway.shapes.values import Record, fields, text
from headway.sources import Head, Source, seconds

_REMINDER = "<system-reminder>"
_KEYS = {"type", "id", "timestamp", "message", "visibility"}
_ASIDE = frozenset(("todo_state", "session_end", "compaction_state"))
_TOKENS = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheCreationTokens")


class Droid:
    """Sessions of Droid."""

    name = "droid"
    title = "Droid sessions"

    def recognises(self, head: Head) -> bool:
        """By the start of a session, or by a message with its own role inside a record."""
        first = head.first
        if first.get("type") == "session_start":
            return {"id", "cwd"} <= first.keys() and bool({"title", "owner", "version"} & first.keys())
        is_message = first.get("type") == "message" and "role" in fields(first.get("message"))
        return is_message and {"id", "timestamp"} <= first.keys() <= _KEYS

    def read(self, source: Source) -> Iterator[Event]:
        """One run."""
        settings = _settings(source)
        talk = Conversation()
        for record in source.records():
            kind, at = text(record.get("type")), seconds(record.get("timestamp"))
            if kind == "session_start":
                talk = Conversation(text(record.get("id")))
                yield talk.started(settings.get("model"), "droid", record.get("cwd"), at)
            elif kind == "message":
                yield from _message(fields(record.get("message")), talk, at)
            elif kind == "compaction_state":
                yield events.ContextCompacted(run=talk.run, at=at)
            elif kind not in _ASIDE:
                source.skip(f"unknown type {kind!r}")
        yield from talk.used(beside_cache(*map(fields(settings.get("tokenUsage")).get, _TOKENS)))


def _message(raw: Record, talk: Conversation, at: float | None) -> Iterator[Event]:
    message = read_message(raw)
    if message.role == "user":
        message.texts = [said for said in message.texts if not said.startswith(_REMINDER)]
    yield from talk.take(message, at)


def _settings(source: Source) -> Record:
    """The settings file beside the session; empty if there is none."""
    path = source.path
    beside = path.with_name(f"{path.name.split('.')[0]}.settings.json") if path else None
    return Source(beside).document(dict[str, Any]) or {} if beside and beside.is_file() else {}
