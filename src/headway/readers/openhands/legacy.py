"""Events of OpenHands before version 1: actions, and observations that each name the action that caused them.

Evaluations of that time left out ids and sources, and put arguments beside the action's name; there an observation
belongs to the action before it, and the first message is the task.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from headway.core import events
from headway.core.events import Event
from headway.readers.openhands.usage import Meter
from headway.sources import Source, seconds
from headway.tools.envelope import plain_text

_TALK = frozenset(("message", "finish", "reject"))
_PASSED_OVER = frozenset((
    "add_task", "change_agent_state", "condensation_request", "initialize", "loop_recovery", "modify_task", "null",
    "pause", "push", "recall", "resume", "send_pr", "start", "stop", "summarize", "system",
))  # fmt: skip
_NOT_RESULTS = frozenset(("agent_state_changed", "null", "recall", "loop_detection", "download"))
_NOT_ARGUMENTS = frozenset((
    "action", "action_risk", "blocking", "confirmation_state", "cwd", "hidden", "id", "impl_source", "include_extra",
    "is_confirmed", "is_input", "is_static", "keep_prompt", "kernel_init_code", "llm_metrics", "message",
    "security_risk", "source", "thought", "timeout", "timestamp", "tool_call_metadata",
))  # fmt: skip


class _Call(Struct, gc=False):
    function_name: str = ""
    tool_call_id: str = ""
    model_response: Any = None


class _Event(Struct, gc=False):
    action: str | None = None
    observation: str | None = None
    id: Any = None
    cause: Any = None
    timestamp: str | None = None
    source: str | None = None
    args: Any = None
    thought: Any = None
    content: Any = None
    extras: Any = None
    exit_code: int | None = None
    error: Any = None
    success: bool | None = None
    tool_call_metadata: _Call | None = None
    llm_metrics: Any = None


class Legacy:
    """What has to be remembered from one event to the next."""

    def __init__(self, run: str, model: str | None = None) -> None:
        self.run = run
        self.start: Event | None = events.RunStarted(run=run, model=model, program="openhands")
        self.meter = Meter(run)
        self.has_task = False
        self.count = 0
        self.open: dict[Any, str] = {}
        """Calls without a result, by the id of their action."""

    def used(self, metrics: Mapping[str, Any]) -> list[Event]:
        """The part of the total usage that was not reported yet."""
        return self.meter.read(metrics)

    def events_of(self, whole: Any, source: Source) -> Iterator[Event]:
        """The events of one record."""
        event = msgspec.convert(whole, _Event)
        at = seconds(event.timestamp)
        if self.start is not None:
            yield self.start
            self.start = None
        if event.observation is not None:
            yield from self._result(event, at)
        elif event.action in _TALK:
            yield from self._talk(event, at)
        elif event.action == "condensation":
            yield events.ContextCompacted(run=self.run, at=at)
        elif event.action is None:
            source.skip("neither an action nor an observation")
        elif event.action not in _PASSED_OVER:
            yield from self._call(event, whole, at)
        if isinstance(event.llm_metrics, dict):
            yield from self.meter.read(event.llm_metrics, at)

    def _talk(self, event: _Event, at: float | None) -> Iterator[Event]:
        args = event.args if isinstance(event.args, dict) else {}
        text = plain_text(args.get("content") or event.content or args.get("final_thought"))
        text = text or plain_text(args.get("thought") or event.thought)
        is_user = event.source == "user" or (event.source is None and not self.has_task and event.action == "message")
        self.has_task = True
        if is_user:
            yield events.UserSpoke(run=self.run, at=at, text=text)
        elif text:
            yield events.AgentSpoke(run=self.run, at=at, text=text)

    def _call(self, event: _Event, whole: dict[str, Any], at: float | None) -> Iterator[Event]:
        given = event.args if isinstance(event.args, dict) else whole
        if said := plain_text(given.get("thought")):
            yield events.AgentSpoke(run=self.run, at=at, text=said)
        told = event.tool_call_metadata or _Call()
        self.count += 1
        call = told.tool_call_id or f"call-{self.count}"
        key = event.id if isinstance(event.id, (int, str)) else ""
        self.open[key] = call
        response = told.model_response.get("id") if isinstance(told.model_response, dict) else None
        yield events.ToolCalled(
            run=self.run,
            at=at,
            call=call,
            tool=told.function_name or event.action or "",
            args={name: value for name, value in given.items() if name not in _NOT_ARGUMENTS and value is not None},
            batch=response if isinstance(response, str) else None,
        )

    def _result(self, event: _Event, at: float | None) -> Iterator[Event]:
        cause = event.cause if isinstance(event.cause, (int, str)) else ""
        told = event.tool_call_metadata
        call = self.open.pop(cause, None) or (told.tool_call_id if told else None)
        if event.observation in _NOT_RESULTS or not call:
            return
        extras = event.extras if isinstance(event.extras, dict) else {}
        metadata = extras.get("metadata")
        exit_code = event.exit_code
        if exit_code is None:
            exit_code = extras.get("exit_code", metadata.get("exit_code") if isinstance(metadata, dict) else None)
        exit_code = exit_code if isinstance(exit_code, int) and exit_code >= 0 else None  # -1: still running
        is_denied = event.observation == "user_rejected"
        has_failed = is_denied or event.observation == "error" or bool(event.error or extras.get("error"))
        yield events.ToolReturned(
            run=self.run,
            at=at,
            call=call,
            output=plain_text(event.content),
            failed=True if has_failed else None,
            exit_code=exit_code,
            denied=is_denied,
        )
