"""Sessions of the pi coding agent and of OpenClaw, which is built on it.

pi keeps them in `~/.pi/agent/sessions/<project>/<time>_<id>.jsonl`, OpenClaw in `~/.openclaw/agents/<agent>/sessions`.
Every entry names the one before it, so a session is a tree; the conversation is the branch that ends at the last entry.
"""

from collections.abc import Iterator

from headway.core import events
from headway.core.events import Event
from headway.shapes.conversation import Conversation
from headway.shapes.message import arguments_of, output_of
from headway.shapes.tokens import beside_cache
from headway.shapes.values import Record, fields, items, text
from headway.sources import Head, Source, seconds
from headway.sources.branches import Branches

_TYPES = frozenset((
    "branch_summary", "compaction", "context_edit", "custom", "custom_message", "label", "message", "model_change",
    "session", "session_info", "thinking_level_change", "usage",
))  # fmt: skip


class Pi:
    """Sessions of pi and OpenClaw."""

    name = "pi"
    title = "pi and OpenClaw sessions"

    def recognises(self, head: Head) -> bool:
        """By the header, which names the session and its folder, or by entries that name the one before."""
        first = head.first
        if first.get("type") == "session":
            return {"id", "timestamp", "cwd"} <= first.keys()
        is_entry = {"id", "parentId", "timestamp"} <= first.keys() and first.get("type") in _TYPES
        return is_entry and ("message" in first or first["type"] != "message")

    def read(self, source: Source) -> Iterator[Event]:
        """The events of one session."""
        links, records = source.twice(Record, Record)
        branches = Branches((text(entry.get("id")), text(entry.get("parentId"))) for entry in links if _is_entry(entry))
        session = _Session()
        for entry in records:
            if text(entry.get("type")) not in _TYPES:
                source.skip(f"unknown type {text(entry.get('type'))!r}")
            elif not _is_entry(entry) or not branches.leaves_out(
                text(entry.get("id")), text(entry.get("parentId")), _role(entry) == "user"
            ):
                yield from session.events_of(entry)


def _is_entry(entry: Record) -> bool:
    return bool(text(entry.get("id"))) and entry.get("type") != "session"


def _role(entry: Record) -> str:
    return text(fields(entry.get("message")).get("role"))


class _Session:
    """What has to be remembered from one entry to the next."""

    def __init__(self) -> None:
        self.talk = Conversation()
        self.root: object = None

    def events_of(self, entry: Record) -> Iterator[Event]:
        kind, at = entry["type"], seconds(entry.get("timestamp"))
        if kind == "session":
            self.talk, self.root = Conversation(text(entry.get("id"))), entry.get("cwd")
            yield self.talk.started(None, "pi", self.root, at)
        elif kind == "message":
            yield from self._message(fields(entry.get("message")), at)
        elif kind == "compaction":
            yield events.ContextCompacted(run=self.talk.run, at=at)
        if kind != "message":  # a summary of a compaction or of a branch is paid for, too
            yield from self._used(entry, at)

    def _message(self, message: Record, at: float | None) -> Iterator[Event]:
        role, talk = message.get("role"), self.talk
        if role == "user":
            yield events.UserSpoke(run=talk.run, at=at, text=output_of(message.get("content")))
        elif role == "toolResult":
            failed = message.get("isError")
            known = failed if isinstance(failed, bool) else None
            yield talk.answered(text(message.get("toolCallId")), "", output_of(message.get("content")), known, None, at)
            yield from self._used(message, at)
        elif role == "assistant":
            yield from talk.answered_by(message.get("model"), "pi", self.root, at)
            batch = talk.turn()
            for block in map(fields, items(message.get("content"))):
                if block.get("type") == "text" and text(block.get("text")):
                    yield events.AgentSpoke(run=talk.run, at=at, text=block["text"])
                elif block.get("type") == "toolCall":
                    args = arguments_of(block.get("arguments"))
                    yield talk.asked(text(block.get("id")), text(block.get("name")), args, batch, at)
            yield from self._used(message, at)

    def _used(self, holder: Record, at: float | None) -> Iterator[Event]:
        usage = fields(holder.get("usage"))
        tokens = beside_cache(*map(usage.get, ("input", "output", "cacheRead", "cacheWrite")))
        yield from self.talk.used(tokens, fields(usage.get("cost")).get("total"), at)
