"""Claude Code: transcripts in `~/.claude/projects/<project>/<session>.jsonl`, and the output of `stream-json`.

One line holds one content block; lines of the same `message.id` repeat its usage, and its tool calls were asked for
together. A rewound prompt leaves its branch in the file. Sub-agents have files of their own, or stand in the same file
as side chains.
"""

from collections.abc import Iterator
from copy import copy

from headway.core.events import Event
from headway.readers.claude_code.records import Link, Record
from headway.readers.claude_code.transcript import Transcript
from headway.sources import Head, Source
from headway.sources.branches import Branches

_PASSED_OVER = frozenset((
    "agent-color", "agent-name", "agent-setting", "ai-title", "api-request", "api-request-blob", "atis-latch",
    "attribution-snapshot", "content-replacement", "control_request", "control_response", "custom-title",
    "file-history-snapshot", "keep_alive", "last-prompt", "mode", "permission-mode", "pr-link", "progress",
    "queue-operation", "speculation-accept", "stream_event", "summary", "tag", "task-summary", "tool_progress",
    "tool_use_summary", "tools-used", "worktree-state",
))  # fmt: skip
_OURS = frozenset(("user", "assistant", "system", "attachment", "cost-state", "result")) | _PASSED_OVER
_IDS = frozenset(("sessionId", "parentUuid", "leafUuid", "messageId", "session_id"))


class ClaudeCode:
    """Sessions and sub-agents of Claude Code."""

    name = "claude-code"
    title = "Claude Code transcripts"

    def recognises(self, head: Head) -> bool:
        """By the record types together with the ids that all its records carry."""
        return any(
            str(record.get("type")) in _OURS
            and bool(_IDS & record.keys())
            and not {"event", "provenance"} & record.keys()
            for record in head.records[:3]
        )

    def read(self, source: Source) -> Iterator[Event]:
        """Events of the session and of the sub-agents whose records stand in the same file."""
        branches = Branches(
            (link.uuid, link.parent_uuid or link.logical_parent_uuid or "")
            for link in copy(source).records(Link)
            if link.uuid and not link.is_sidechain
        )
        transcript = Transcript()
        for record in source.records(Record):
            kind = record.type
            if kind not in _OURS:
                source.skip(f"unknown type {kind!r}")
            elif kind not in _PASSED_OVER:
                id, parent = record.uuid or "", record.parent_uuid or ""
                is_prompt = kind == "user" and _is_prompt(record)
                if not branches.has_come_before(id) and not branches.leaves_out(id, parent, is_prompt):
                    yield from transcript.events_of(record)


def _is_prompt(record: Record) -> bool:
    content = record.message.content if record.message else None
    has_result = isinstance(content, list) and any(block.type == "tool_result" for block in content)
    return not (has_result or record.is_meta or record.is_sidechain or record.is_compact_summary)
