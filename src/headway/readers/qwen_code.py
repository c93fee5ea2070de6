"""Qwen Code sessions: `~/.qwen/projects/<project>/chats/<session>.jsonl`.

Messages have Gemini's shape; records name the one before, so a rewound prompt leaves its branch in the file. System
records beside the conversation are for the screen, except the one that says that it was compressed.
"""

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from headway.core import events
from headway.core.events import Event
from headway.rolling.text import Between
from headway.sources import Head, Source, seconds
from headway.sources.branches import Branches
from headway.tools.envelope import plain_text

_TYPES = frozenset(("user", "assistant", "tool_result", "system"))
_OURS = frozenset(("provenance", "systemPayload", "usageMetadata"))
"""What a record may have that a record of Claude Code has not; older versions write no `provenance`."""
_THE_USER = frozenset((None, "mid_turn_user_message", "agent_launch_prompt"))
"""Subtypes of requests to the agent; others are notifications."""
_HOOK = Between(r"<qwen:[\w-]+-context>", r"</qwen:[\w-]+-context>")
_EXIT = re.compile(r"^Exit Code: (-?\d{1,9})\b", re.MULTILINE)
_REFUSED = re.compile(r"Tool execution (?:blocked|denied)|\[Operation Cancelled\]|User denied|Blocked by hook")


class _Function(Struct, gc=False):
    id: str | None = None
    name: str | None = None
    args: Any = None
    response: Any = None


class _Part(Struct, rename="camel", gc=False):
    text: str | None = None
    thought: bool | None = None
    function_call: _Function | None = None
    function_response: _Function | None = None


class _Message(Struct, gc=False):
    parts: list[_Part] | None = None


class _Usage(Struct, rename="camel", gc=False):
    prompt_token_count: int | None = 0
    candidates_token_count: int | None = 0
    thoughts_token_count: int | None = 0
    cached_content_token_count: int | None = 0


class _Outcome(Struct, rename="camel", gc=False):
    status: str | None = None
    error_type: str | None = None
    result_display: Any = None


class _Payload(Struct, rename="camel", gc=False):
    display_text: Any = None
    hook_context: Any = None


class _Link(Struct, rename="camel", gc=False):
    """What the tree is made of."""

    uuid: str | None = None
    parent_uuid: str | None = None
    is_sidechain: bool | None = None


class _Record(_Link, rename="camel", gc=False):
    type: str = ""
    subtype: str | None = None
    session_id: str = ""
    agent_id: str | None = None
    timestamp: str | None = None
    cwd: str | None = None
    model: str | None = None
    message: _Message | None = None
    usage_metadata: _Usage | None = None
    tool_call_result: _Outcome | None = None
    system_payload: _Payload | None = None


class QwenCode:
    """Sessions and sub-agents of Qwen Code."""

    name = "qwen-code"
    title = "Qwen Code sessions"

    def recognises(self, head: Head) -> bool:
        """By the links of its records together with the shape of its messages."""
        return any(
            {"uuid", "parentUuid", "sessionId"} <= record.keys()
            and str(record.get("type")) in _TYPES
            and (
                not _OURS.isdisjoint(record)
                or (isinstance(record.get("message"), dict) and "parts" in record["message"])
            )
            for record in head.records[:3]
        )

    def read(self, source: Source) -> Iterator[Event]:
        """The events of one session."""
        links, records = source.twice(_Record, _Link)
        branches = Branches(
            (link.uuid, link.parent_uuid or "") for link in links if link.uuid and not link.is_sidechain
        )
        session = _Session()
        for record in records:
            if record.type not in _TYPES:
                source.skip(f"unknown type {record.type!r}")
            elif not branches.leaves_out(record.uuid or "", record.parent_uuid or "", record.type == "user"):
                yield from session.events_of(record)


class _Session:
    """What has to be remembered from one record to the next."""

    def __init__(self) -> None:
        self.models: dict[tuple[str, str], str | None] = {}

    def events_of(self, record: _Record) -> Iterator[Event]:
        """The events of one record."""
        run, agent = record.session_id, (record.agent_id or "sidechain") if record.is_sidechain else ""
        at, parts = seconds(record.timestamp), record.message.parts or () if record.message else ()
        if (run, agent) not in self.models or (record.model and record.model != self.models[run, agent]):
            self.models[run, agent] = record.model
            yield events.RunStarted(
                run=run, agent=agent, at=at, model=record.model, root=record.cwd, program="qwen-code"
            )
        if record.type == "assistant":
            yield from _from_agent(record, parts, run, agent, at)
        elif record.type == "tool_result":
            for part in parts:
                if part.function_response is not None:
                    yield _result(part.function_response, record.tool_call_result, run, agent, at)
        elif record.type == "user" and record.subtype in _THE_USER:
            yield from _from_user(record, parts, run, agent, at)
        elif record.subtype == "chat_compression":
            yield events.ContextCompacted(run=run, agent=agent, at=at)


_Parts = list[_Part] | tuple[()]


def _from_agent(record: _Record, parts: _Parts, run: str, agent: str, at: float | None) -> Iterator[Event]:
    for part in parts:
        call = part.function_call
        if call is not None:
            args = call.args if isinstance(call.args, dict) else {"input": call.args}
            yield events.ToolCalled(
                run=run, agent=agent, at=at, call=call.id or "", tool=call.name or "", args=args, batch=record.uuid
            )
        elif part.text and not part.thought:
            yield events.AgentSpoke(run=run, agent=agent, at=at, text=part.text)
    used = record.usage_metadata
    if used is not None:
        tokens_out = (used.candidates_token_count or 0) + (used.thoughts_token_count or 0)
        yield events.Used(
            run=run,
            agent=agent,
            at=at,
            tokens_in=used.prompt_token_count or 0,
            tokens_out=tokens_out,
            tokens_cached=used.cached_content_token_count or 0,
        )


def _from_user(record: _Record, parts: _Parts, run: str, agent: str, at: float | None) -> Iterator[Event]:
    payload = record.system_payload or _Payload()
    text = "\n".join(part.text for part in parts if part.text)
    for advice in _HOOK.inside(text) or [plain_text(payload.hook_context)]:
        if advice.strip():
            yield events.Advised(run=run, agent=agent, at=at, text=advice.strip())
    said = plain_text(payload.display_text) or _HOOK.outside(text)
    if said:
        yield events.UserSpoke(run=run, agent=agent, at=at, text=said)


def _result(answer: _Function, outcome: _Outcome | None, run: str, agent: str, at: float | None) -> Event:
    response = answer.response if isinstance(answer.response, dict) else {"output": answer.response}
    output = plain_text(response.get("output", response.get("error", response)))
    status = outcome.status if outcome else None
    failed = status in ("error", "cancelled") or ("error" in response and "output" not in response)
    shown = outcome.result_display if outcome else None
    exit_code = shown.get("exitCode") if isinstance(shown, dict) else None
    if exit_code is None and "Exit Code: " in output and (match := _EXIT.search(output)):
        exit_code = int(match[1])
    denial = outcome is not None and outcome.error_type == "execution_denied"
    return events.ToolReturned(
        run=run,
        agent=agent,
        at=at,
        call=answer.id or "",
        output=output,
        failed=True if failed else None if status is None or exit_code else False,
        exit_code=exit_code if isinstance(exit_code, int) else None,
        denied=denial or status == "cancelled" or (failed and _REFUSED.match(output) is not None),
    )
