"""Codex rollouts: `~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`, of today and of older versions.

The conversation is in the response items. Events beside them repeat it for the screen, and have what items lack: exit
codes, tokens, compactions. The oldest files have bare items, one on each line.
"""

from collections.abc import Iterator

from headway.core.events import Event
from headway.readers.codex.records import Line
from headway.readers.codex.rollout import CALLS, EVENTS, OUTPUTS, Rollout
from headway.sources import Head, Source, seconds

_LINES = frozenset(("session_meta", "turn_context", "response_item", "event_msg", "compacted"))
_LINES_PASSED_OVER = frozenset(("token_usage_record", "world_state", "inter_agent_communication"))
_KNOWN = _LINES | _LINES_PASSED_OVER
_ITEMS = CALLS | OUTPUTS | {"message"}
_ITEMS_PASSED_OVER = frozenset(
    ("reasoning", "ghost_snapshot", "compaction", "compaction_summary", "context_compaction", "image_generation_call")
)


class Codex:
    """Threads of Codex; a sub-agent's thread is a file of its own."""

    name = "codex"
    title = "Codex rollouts"

    def recognises(self, head: Head) -> bool:
        """By a line's type around its payload; older files by their first line, which has no type."""
        first = head.first
        if str(first.get("type")) in _KNOWN and isinstance(first.get("payload"), dict):
            return True
        return {"id", "timestamp", "instructions"} <= first.keys() and "type" not in first

    def read(self, source: Source) -> Iterator[Event]:
        """The events of one thread, or of several one after the other."""
        rollout = Rollout()
        for line in source.records(Line):
            item, kind = line.payload, line.type
            if item is None:  # the oldest files have no envelope
                item, kind = line, "response_item" if kind else "session_meta"
            if kind == "response_item":
                if item.type in _ITEMS:
                    yield from rollout.from_item(item, seconds(line.timestamp))
                elif item.type not in _ITEMS_PASSED_OVER:
                    source.skip(f"unknown item {item.type!r}")
            elif kind == "event_msg":
                if item.type in EVENTS:
                    yield from rollout.from_event(item, seconds(line.timestamp))
            elif kind == "compacted":
                yield from rollout.compacted(seconds(line.timestamp))
            elif kind in _LINES:
                at = seconds(line.timestamp)
                if kind == "session_meta" and rollout.is_over(item, at):
                    rollout = Rollout()  # several files, one after the other
                if rollout.learns(item, at):
                    yield rollout.started(at)
            elif kind not in _LINES_PASSED_OVER:
                source.skip(f"unknown type {kind!r}")
