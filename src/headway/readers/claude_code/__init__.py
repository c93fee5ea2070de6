"""Claude Code: transcripts in `~/.claude/projects/<project>/<session>.jsonl`, and the output of `stream-json`.

One line holds one content block; lines of the same `message.id` repeat its usage, and its tool calls were asked for
together. A rewound prompt leaves its branch in the file. Sub-agents have files of their own, or stand in the same file
as side chains.
"""

from collections.abc import Iterator
from typing import Any

from headway.core.events import Event
from headway.readers.claude_code.records import Link, Record
from headway.readers.claude_code.transcript import Transcript
from headway.sources import Head, Source
from headway.sources.branches import Branches

_OURS = frozenset(("user", "assistant", "system", "attachment", "cost-state", "result"))
_BESIDE = frozenset((
    "auth_status", "control_request", "control_response", "file-history-snapshot", "keep_alive", "last-prompt",
    "progress", "prompt_suggestion", "queue-operation", "rate_limit_event", "stream_event", "summary", "tool_progress",
    "tool_use_summary",
))  # fmt: skip
"""Records beside the conversation. There are many more, which have no place in the tree: those are not looked at."""
_KNOWN = _OURS | _BESIDE
_IDS = frozenset(("sessionId", "parentUuid", "leafUuid", "messageId"))
_STREAM = frozenset(("uuid", "parent_tool_use_id", "tools", "num_turns"))
"""One of these stands beside `session_id` in what is printed; Cursor prints records of the same types without them."""
_NOT_OURS = frozenset(("event", "provenance", "systemPayload", "usageMetadata"))
"""Gemini CLI and Qwen Code write records with these."""
_INIT = frozenset(("uuid", "permissionMode", "apiKeySource", "mcp_servers", "claude_code_version", "qwen_code_version"))
"""What the first line of a stream has; Droid prints one with neither of these."""


class ClaudeCode:
    """Sessions and sub-agents of Claude Code."""

    name = "claude-code"
    title = "Claude Code transcripts"

    def recognises(self, head: Head) -> bool:
        """By the record types together with the ids that all its records carry."""
        return any(map(_is_ours, head.records))

    def read(self, source: Source) -> Iterator[Event]:
        """Events of the session and of the sub-agents whose records stand in the same file."""
        links, records = source.twice(Record, Link)
        branches = Branches(
            (link.uuid, link.parent_uuid or link.logical_parent_uuid or "")
            for link in links
            if link.uuid and not link.is_sidechain
        )
        transcript = Transcript()
        for record in records:
            kind = record.type
            if kind not in _OURS:
                if kind not in _BESIDE and (record.uuid or not kind):
                    source.skip(f"unknown type {kind!r}")
            else:
                id, parent = record.uuid or "", record.parent_uuid or ""
                is_prompt = kind == "user" and _is_prompt(record)
                if not branches.has_come_before(id) and not branches.leaves_out(id, parent, is_prompt):
                    yield from transcript.events_of(record)


def _is_ours(record: dict[str, Any]) -> bool:
    keys = record.keys()
    has_id = _IDS & keys or ("session_id" in keys and _STREAM & keys)
    if str(record.get("type")) not in _KNOWN or not has_id or _NOT_OURS & keys:
        return False
    message = record.get("message")
    is_gemini_shaped = isinstance(message, dict) and "parts" in message and "content" not in message
    return not is_gemini_shaped and (record.get("subtype") != "init" or bool(_INIT & keys))


def _is_prompt(record: Record) -> bool:
    content = record.message.content if record.message else None
    has_result = isinstance(content, list) and any(block.type == "tool_result" for block in content)
    return not (has_result or record.is_meta or record.is_sidechain or record.is_compact_summary)
