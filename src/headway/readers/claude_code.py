"""Claude Code transcripts: `~/.claude/projects/<project>/<session>.jsonl`.

One line holds one content block; lines of the same `message.id` repeat its usage, and its tool calls were asked
for together. A rewound prompt leaves its branch in the file: of several prompts with the same parent only
the last one was gone on with.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from headway.core import events
from headway.core.events import Event
from headway.sources import Head, Source, seconds
from headway.tools.outcome import hits_in

_TYPES = {"user", "assistant", "system", "attachment", "summary", "file-history-snapshot", "queue-operation"}
_MACHINE_TEXT = (
    "<command-",
    "<system-reminder>",
    "<local-command-",
    "Caveat: The messages below",
    "[Request interrupted",
)

Record = dict[str, Any]


class ClaudeCode:
    """Sessions and sub-agents of Claude Code."""

    name = "claude-code"
    title = "Claude Code transcripts"

    def recognises(self, head: Head) -> bool:
        """By the record types together with the ids that all its records carry."""
        first = head.first
        return first.get("type") in _TYPES and bool({"sessionId", "parentUuid", "leafUuid", "messageId"} & first.keys())

    def read(self, source: Source) -> Iterator[Event]:
        """Events of the session and of the sub-agents whose records stand in the same file."""
        records = [record for record in source.records() if isinstance(record.get("type"), str)]
        state = _Transcript(source)
        for record in _without_abandoned_branches(records):
            yield from state.events_of(record)


class _Transcript:
    """What has to be remembered from one record to the next."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.started: set[str] = set()
        self.models: dict[str, str] = {}
        self.counted_usage: set[str] = set()

    def events_of(self, record: Record) -> Iterator[Event]:
        """The events one record stands for."""
        try:
            found = list(self._translate(record))
        except (KeyError, TypeError, ValueError, AttributeError):
            self.source.skip()
            return
        agent = _agent_of(record)
        common = {"run": str(record.get("sessionId") or ""), "agent": agent, "at": seconds(record.get("timestamp"))}
        model = _model_of(record)
        if found and (agent not in self.started or (model and self.models.get(agent) != model)):
            self.started.add(agent)
            self.models[agent] = model or ""
            found.insert(0, events.RunStarted(model=model, root=record.get("cwd"), program="claude-code"))
        for event in found:
            yield msgspec.structs.replace(event, **common)

    def _translate(self, record: Record) -> Iterator[Event]:
        kind = record["type"]
        if kind == "assistant":
            yield from self._from_agent(record["message"])
        elif kind == "user" and not record.get("isCompactSummary"):
            yield from _from_user(record)
        elif kind == "system" and record.get("subtype") == "compact_boundary":
            yield events.ContextCompacted()
        elif kind == "attachment" and record["attachment"].get("type") == "hook_additional_context":
            yield events.Advised(text="\n".join(map(str, record["attachment"].get("content") or ())))

    def _from_agent(self, message: Record) -> Iterator[Event]:
        for block in message.get("content") or ():
            if block["type"] == "text":
                yield events.AgentSpoke(text=str(block["text"]))
            elif block["type"] == "tool_use":
                args = block.get("input")
                yield events.ToolCalled(
                    call=block["id"],
                    tool=block["name"],
                    args=args if isinstance(args, dict) else {"input": args},
                    batch=message.get("id"),
                )
        usage = message.get("usage")
        if usage and message.get("id") not in self.counted_usage:
            self.counted_usage.add(message.get("id", ""))
            names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
            yield events.Used(
                tokens_in=sum(int(usage.get(name) or 0) for name in names),
                tokens_out=int(usage.get("output_tokens") or 0),
            )


def _from_user(record: Record) -> Iterator[Event]:
    content = record["message"].get("content") or ""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    results = [block for block in blocks if block["type"] == "tool_result"]
    for block in results:
        yield _result(block, record)
    if results or record.get("isMeta"):
        return  # words beside a result are the host's, not the user's
    for block in blocks:
        if block["type"] == "text" and not block["text"].startswith(_MACHINE_TEXT):
            yield events.UserSpoke(text=block["text"])


def _result(block: Record, record: Record) -> Event:
    content = block.get("content")
    if isinstance(content, list):
        content = "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    structured = record.get("toolUseResult")
    return events.ToolReturned(
        call=block["tool_use_id"],
        output=str(content or ""),
        failed=bool(block.get("is_error")),
        denied=record.get("toolDenialKind") is not None,
        hits=hits_in(structured) if isinstance(structured, dict) else None,
    )


def _without_abandoned_branches(records: list[Record]) -> Iterator[Record]:
    prompts = {_parent(r): r.get("uuid") for r in records if _is_prompt(r) and _parent(r)}
    dropped: set[str] = set()
    for record in records:
        parent = _parent(record)
        abandoned = _is_prompt(record) and parent and prompts[parent] != record.get("uuid")
        if abandoned or parent in dropped:
            dropped.add(str(record.get("uuid")))
        else:
            yield record


def _parent(record: Record) -> str:
    parent = record.get("parentUuid")
    return parent if isinstance(parent, str) else ""


def _is_prompt(record: Record) -> bool:
    message = record.get("message")
    is_words = isinstance(message, dict) and isinstance(message.get("content"), str)
    return record["type"] == "user" and is_words and not record.get("isMeta")


def _agent_of(record: Record) -> str:
    return str(record.get("agentId") or "sidechain") if record.get("isSidechain") else ""


def _model_of(record: Record) -> str | None:
    message = record.get("message")
    model = message.get("model") if isinstance(message, dict) else None
    return model if isinstance(model, str) and not model.startswith("<") else None
