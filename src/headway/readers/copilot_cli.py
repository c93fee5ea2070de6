"""Copilot CLI sessions: `~/.copilot/session-state/<id>/events.jsonl`.

A message requests tools; each has an event when it begins and one when it is complete. Events of a sub-agent name the
call that started it.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from headway.core import events
from headway.core.events import Event
from headway.sources import Head, Source, seconds
from headway.tools.envelope import plain_text

_FAMILIES = frozenset((
    "abort", "assistant", "capabilities", "command", "commands", "elicitation", "exit_plan_mode", "external_tool",
    "hook", "mcp", "model", "pending_messages", "permission", "sampling", "session", "skill", "subagent", "system",
    "tool", "user", "user_input",
))  # fmt: skip
"""The part of an event's type before the dot."""
_TELLING = frozenset(("session.start", "session.model_change", "assistant.message"))
"""Events that name the model."""
_DENIED = frozenset(("denied", "rejected"))


class _Request(Struct, rename="camel", gc=False):
    tool_call_id: str = ""
    name: str = ""
    arguments: Any = None


class _Usage(Struct, rename="camel", gc=False):
    input_tokens: int | None = 0
    output_tokens: int | None = 0
    cache_read_tokens: int | None = 0
    cache_write_tokens: int | None = 0


class _Shell(Struct, rename="camel", gc=False):
    exit_code: int | None = None


class _Data(Struct, rename="camel", gc=False):
    session_id: str | None = None
    selected_model: str | None = None
    model: str | None = None
    new_model: str | None = None
    context: Any = None
    content: Any = None
    message_id: str | None = None
    tool_requests: list[_Request] | None = None
    tool_call_id: str | None = None
    parent_tool_call_id: str | None = None
    tool_name: str | None = None
    arguments: Any = None
    success: bool | None = None
    result: Any = None
    error: Any = None
    shell_execution: _Shell | None = None
    usage: _Usage | None = None


class _Line(Struct, gc=False):
    type: str = ""
    data: _Data | None = None
    timestamp: str | None = None


class CopilotCli:
    """Sessions of Copilot CLI."""

    name = "copilot-cli"
    title = "Copilot CLI sessions"

    def recognises(self, head: Head) -> bool:
        """By the names of its events together with their data."""
        first = head.first
        family, dot, _ = str(first.get("type")).partition(".")
        return bool(dot) and family in _FAMILIES and {"data", "id", "timestamp", "parentId"} <= first.keys()

    def read(self, source: Source) -> Iterator[Event]:
        """The events of one session."""
        session = _Session()
        for line in source.records(_Line):
            data = line.data
            if line.type.partition(".")[0] not in _FAMILIES:
                source.skip(f"unknown type {line.type!r}")
            elif data is not None:
                yield from session.events_of(line.type, data, seconds(line.timestamp))


class _Session:
    """What has to be remembered from one event to the next."""

    def __init__(self) -> None:
        self.run = ""
        self.root: str | None = None
        self.models: dict[tuple[str, str], str | None] = {}
        self.asked: set[str] = set()

    def events_of(self, kind: str, data: _Data, at: float | None) -> Iterator[Event]:
        """The events of one line."""
        run, agent = self.run, data.parent_tool_call_id or ""
        if kind == "session.start":
            self.run = data.session_id or ""
            root = data.context.get("cwd") if isinstance(data.context, dict) else None
            self.root = root if isinstance(root, str) else None
        model = data.selected_model or data.new_model or data.model
        if (
            kind in ("session.start", "session.model_change", "assistant.message")
            and self.models.get((self.run, agent), 0) != model
        ):
            self.models[self.run, agent] = model
            yield events.RunStarted(
                run=self.run, agent=agent, at=at, model=model, root=self.root, program="copilot-cli"
            )
        if kind == "user.message":
            yield events.UserSpoke(run=run, agent=agent, at=at, text=plain_text(data.content))
        elif kind == "assistant.message":
            if text := plain_text(data.content):
                yield events.AgentSpoke(run=run, agent=agent, at=at, text=text)
            for request in data.tool_requests or ():
                yield self._call(request, agent, at, data.message_id)
        elif kind == "tool.execution_start" and data.tool_call_id not in self.asked:
            yield self._call(_Request(data.tool_call_id or "", data.tool_name or "", data.arguments), agent, at, None)
        elif kind == "tool.execution_complete":
            self.asked.discard(data.tool_call_id or "")
            yield _result(data, run, agent, at)
        elif kind in ("session.usage_record", "assistant.usage") and data.usage is not None:
            used = data.usage
            yield events.Used(
                run=run,
                agent=agent,
                at=at,
                tokens_in=used.input_tokens or 0,
                tokens_out=used.output_tokens or 0,
                tokens_cached=used.cache_read_tokens or 0,
                tokens_written=used.cache_write_tokens or 0,
            )
        elif kind == "session.compaction_complete" and data.success is not False:
            yield events.ContextCompacted(run=run, agent=agent, at=at)
        elif kind == "session.shutdown":
            yield events.RunEnded(run=run, agent=agent, at=at)

    def _call(self, request: _Request, agent: str, at: float | None, batch: str | None) -> Event:
        self.asked.add(request.tool_call_id)
        args = request.arguments if isinstance(request.arguments, dict) else {"input": request.arguments}
        return events.ToolCalled(
            run=self.run, agent=agent, at=at, call=request.tool_call_id, tool=request.name, args=args, batch=batch
        )


def _result(data: _Data, run: str, agent: str, at: float | None) -> Event:
    """The result. A command that failed counts as a success here; only its exit code shows the failure."""
    exit_code = data.shell_execution.exit_code if data.shell_execution else None
    error = data.error if isinstance(data.error, dict) else {"message": data.error}
    failed = data.success is False
    return events.ToolReturned(
        run=run,
        agent=agent,
        at=at,
        call=data.tool_call_id or "",
        output=plain_text(data.result) or plain_text(error.get("message")),
        failed=True if failed else None if exit_code else False,
        exit_code=exit_code,
        denied=failed and str(error.get("code")) in _DENIED,
    )
