"""Claude Code: transcripts in `~/.claude/projects/<project>/<session>.jsonl`, and the output of `stream-json`.

One line holds one content block; lines of the same `message.id` repeat its usage, and their tool calls were requested
together. A rewound prompt leaves its branch in the file. Sub-agents have files of their own, or are in the same file as
side chains.
"""

import re
from collections.abc import Iterator
from typing import Any

from headway.core import events
from headway.core.events import Event
from headway.readers.claude_code.records import (
    Attachment,
    Block,
    Found,
    HookSaid,
    Link,
    Record,
    SpokenMessage,
    Structured,
    Usage,
)
from headway.rolling.forgiving import FAULTS, from_json
from headway.rolling.text import Between
from headway.sources import Head, Source, seconds
from headway.sources.branches import Branches
from headway.tools.envelope import plain_text
from headway.tools.senders import sender_of, sender_of_all

_OURS = frozenset(("user", "assistant", "system", "attachment", "cost-state", "result"))
_BESIDE = frozenset((
    "auth_status", "control_request", "control_response", "file-history-snapshot", "keep_alive", "last-prompt",
    "progress", "prompt_suggestion", "queue-operation", "rate_limit_event", "stream_event", "summary", "tool_progress",
    "tool_use_summary",
))  # fmt: skip
"""Records beside the conversation. There are many more, which are not part of the tree and are not read."""
_KNOWN = _OURS | _BESIDE
_IDS = frozenset(("sessionId", "parentUuid", "leafUuid", "messageId"))
_STREAM = frozenset(("uuid", "parent_tool_use_id", "tools", "num_turns"))
"""Printed records have one of these beside `session_id`; Cursor prints records of the same types without them."""
_NOT_OURS = frozenset(("event", "provenance", "systemPayload", "usageMetadata"))
"""Gemini CLI and Qwen Code write records with these."""
_INIT = frozenset(("uuid", "permissionMode", "apiKeySource", "mcp_servers", "claude_code_version", "qwen_code_version"))
"""Keys of which the first line of a stream has at least one; the one that Droid prints has none of them."""


class ClaudeCode:
    """Sessions and sub-agents of Claude Code."""

    name = "claude-code"
    title = "Claude Code transcripts"

    def recognises(self, head: Head) -> bool:
        """By the record types together with the ids that all its records carry."""
        return any(map(_is_ours, head.records))

    def read(self, source: Source) -> Iterator[Event]:
        """Events of the session and of the sub-agents whose records are in the same file."""
        links, records = source.twice(Record, Link)
        branches = Branches(
            (link.uuid, link.parent_uuid or link.logical_parent_uuid or "")
            for link in links
            if link.uuid and not link.is_sidechain
        )
        transcript = _Transcript()
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


_NAME, _ARGS = (Between(f"<command-{part}>", f"</command-{part}>") for part in ("name", "args"))
_REFUSED = re.compile(
    r"The user doesn't want to (?:proceed|take this action)|Permission to use |PreToolUse:\S+ hook error|"
    r"Claude requested permissions to |Hook PreToolUse:\S+ denied"
)
_EXIT = re.compile(r"(?:Error: )?Exit code (\d{1,9})\b")


def _from_user(record: Record, message: SpokenMessage, run: str, agent: str, at: float | None) -> list[Event]:
    """Results of tools, or a turn of the user."""
    content = message.content
    texts = [content] if isinstance(content, str) else []
    found: list[Event] = []
    for block in content if isinstance(content, list) else ():
        if block.type == "tool_result":
            found.append(_result(block, record, run, agent, at))
        elif block.type == "text" and block.text:
            texts.append(block.text)
    if found or record.is_meta or record.is_synthetic or record.is_compact_summary:
        return found  # text beside a result comes from the host, not from the user
    origin = record.origin.get("kind") if isinstance(record.origin, dict) else None
    said = [(text, sender) for text, sender in (_said(text, origin) for text in texts) if sender is not None]
    if not said:
        return []
    text, kind = "\n".join(text for text, _ in said), sender_of_all([sender for _, sender in said])
    return [events.UserSpoke(run=run, agent=agent, at=at, text=text, kind=kind)]


def _said(text: str, origin: object) -> "tuple[str, events.Sender | None]":
    """A text and who wrote it; of a slash command, which a person types, its name and arguments."""
    if not text.startswith("<command-message>"):
        return text, sender_of("claude-code", text, origin=origin)
    names = _NAME.inside(text)
    return " ".join([*names[:1], *_ARGS.inside(text)[:1]]).strip() if names else text, ""


def _result(block: Block, record: Record, run: str, agent: str, at: float | None) -> Event:
    output = block.content if isinstance(block.content, str) else plain_text(block.content)
    failed = bool(block.is_error)
    exit_code = _EXIT.match(output) if failed else None
    return events.ToolReturned(
        run=run,
        agent=agent,
        at=at,
        call=block.tool_use_id,
        output=output,
        failed=failed,
        exit_code=int(exit_code[1]) if exit_code else None,
        denied=record.tool_denial_kind is not None or (failed and _REFUSED.match(output) is not None),
        hits=_hits(record.tool_use_result or record.stream_structured),
    )


def _hits(structured: Structured) -> int | None:
    """How much a search found. Some counts are 0 in some search modes: the largest one counts."""
    if not isinstance(structured, Found):
        return None
    named = None if structured.filenames is None else len(structured.filenames)
    counts = (structured.num_files, structured.num_lines, structured.num_matches, named)
    return max((max(0, count) for count in counts if count is not None), default=None)


def _advice(printed: object) -> Iterator[str]:
    """The guidance in what a hook printed, if there is any."""
    try:
        said = from_json(str(printed), HookSaid)
    except FAULTS:
        return  # a hook may print anything
    text = said.context.additional_context or (said.reason if said.decision == "block" else "")
    if text:
        yield text


def _from_attachment(attachment: Attachment, run: str, agent: str, at: float | None) -> list[Event]:
    """Guidance from hooks, and what the user said while the agent was working."""
    kind = attachment.type
    if kind == "hook_additional_context":
        return [events.Advised(run=run, agent=agent, at=at, text=plain_text(attachment.content))]
    if kind == "hook_blocking_error":
        error = attachment.blocking_error
        text = error.get("blockingError") if isinstance(error, dict) else error
        return [events.Advised(run=run, agent=agent, at=at, text=plain_text(text))]
    if kind == "queued_command":
        text, mode = plain_text(attachment.prompt), attachment.command_mode
        sender = sender_of("claude-code", text, mode=mode)
        if sender == "news" or (sender is not None and mode in (None, "prompt")):
            return [events.UserSpoke(run=run, agent=agent, at=at, text=text, kind=sender)]
    return []


class _Transcript:
    """What has to be remembered from one record to the next."""

    def __init__(self) -> None:
        self.models: dict[tuple[str, str], str | None] = {}
        self.usage: dict[str, tuple[int, ...]] = {}
        self.roots: dict[str, str] = {}
        self.cost = 0.0
        self.program = "claude-code"

    def events_of(self, record: Record) -> list[Event]:
        """The events of one record."""
        if record.qwen_version:
            self.program = "qwen-code"  # which prints the same stream
        run, agent = record.session_id or record.stream_session or "", self._agent_of(record)
        at, message, kind = seconds(record.timestamp), record.message, record.type
        if message is not None and kind == "assistant":
            found = self._from_agent(message, run, agent, at) if message.model != "<synthetic>" else []
        elif message is not None:
            found = _from_user(record, message, run, agent, at)
        elif record.attachment is not None:
            found = _from_attachment(record.attachment, run, agent, at)
        elif record.subtype == "compact_boundary":
            found = [events.ContextCompacted(run=run, agent=agent, at=at)]
        elif record.subtype == "hook_response":
            found = [events.Advised(run=run, agent=agent, at=at, text=text) for text in _advice(record.stream_hook)]
        else:
            found = self._from_end(record, run, agent, at)
        model = message.model if message else record.model
        known = self.models.get((run, agent), 0)
        if found and known != model and (model or known == 0):
            self.models[run, agent] = model
            start = events.RunStarted(run=run, agent=agent, at=at, model=model, root=record.cwd, program=self.program)
            found.insert(0, start)
        return found

    def _agent_of(self, record: Record) -> str:
        if not record.is_sidechain:
            return record.stream_parent or ""
        if record.agent_id:
            return record.agent_id
        id = record.uuid or ""
        self.roots[id] = root = self.roots.get(record.parent_uuid or "", id)
        return f"sidechain-{root[:8]}"

    def _from_agent(self, message: SpokenMessage, run: str, agent: str, at: float | None) -> list[Event]:
        found: list[Event] = []
        content = message.content
        if isinstance(content, str):
            found.append(events.AgentSpoke(run=run, agent=agent, at=at, text=content))
        for block in content if isinstance(content, list) else ():
            if block.type == "tool_use":
                args = block.input if isinstance(block.input, dict) else {"input": block.input}
                found.append(
                    events.ToolCalled(
                        run=run, agent=agent, at=at, call=block.id, tool=block.name, args=args, batch=message.id
                    )
                )
            elif block.type == "text" and block.text:
                found.append(events.AgentSpoke(run=run, agent=agent, at=at, text=block.text))
        if message.usage is not None:
            tokens_in, tokens_out, cached, written = self._uncounted(message.id or "", message.usage)
            if tokens_in or tokens_out:
                found.append(
                    events.Used(
                        run=run, agent=agent, at=at, tokens_in=tokens_in, tokens_out=tokens_out,
                        tokens_cached=cached, tokens_written=written,
                    )
                )  # fmt: skip
        return found

    def _uncounted(self, message: str, usage: Usage) -> tuple[int, ...]:
        """The usage that a line adds to earlier lines of the same message, because the first ones may be incomplete."""
        cached, written = usage.cache_read_input_tokens or 0, usage.cache_creation_input_tokens or 0
        told = ((usage.input_tokens or 0) + cached + written, usage.output_tokens or 0, cached, written)
        known = self.usage.get(message) if message else None
        if known is None:
            self.usage[message] = told
            return told
        if known == told:
            return (0, 0, 0, 0)
        self.usage[message] = tuple(map(max, known, told))
        return tuple(max(0, now - before) for before, now in zip(known, told, strict=True))

    def _from_end(self, record: Record, run: str, agent: str, at: float | None) -> list[Event]:
        found: list[Event] = []
        total = record.total_cost or record.stream_cost or 0.0
        if total != self.cost:
            cost = total - self.cost if total > self.cost else total  # smaller: the count restarted
            found.append(events.Used(run=run, agent=agent, at=at, cost_usd=cost))
            self.cost = total
        if record.type == "result":
            found.append(events.RunEnded(run=run, agent=agent, at=at, outcome=record.subtype))
        return found
