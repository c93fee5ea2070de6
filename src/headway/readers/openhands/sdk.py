"""Events of OpenHands since version 1, which name their kind."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from headway.core import events
from headway.core.events import Event
from headway.readers.openhands.usage import Meter
from headway.rolling.forgiving import FAULTS, from_json
from headway.sources import Source, seconds
from headway.sources.branches import Branches
from headway.tools.envelope import plain_text

_PASSED_OVER = frozenset((
    "ACPToolCallEvent", "AskUserEvent", "CondensationRequest", "CondensationSummaryEvent", "ConversationErrorEvent",
    "ConversationIterationLimitEvent", "ConversationStateUpdateEvent", "HookExecutionEvent", "InterruptEvent",
    "LLMCompletionLogEvent", "PauseEvent", "ServerErrorEvent", "StreamingDeltaEvent", "SystemPromptEvent",
    "TokenEvent", "WarningEvent",
))  # fmt: skip

_FINISH = "finish"
"""The tool by which the agent ends its turn."""


class _Event(Struct, gc=False):
    id: str = ""
    parent_id: str = ""
    kind: str = ""
    timestamp: str | None = None
    source: str | None = None
    thought: Any = None
    action: Any = None
    tool_name: str | None = None
    tool_call_id: str = ""
    tool_call: Any = None
    llm_response_id: str | None = None
    observation: Any = None
    error: str | None = None
    rejection_reason: str | None = None
    llm_message: Any = None
    extended_content: Any = None


class Conversation:
    """What has to be remembered from one event to the next."""

    def __init__(self, run: str, model: str | None = None, root: str | None = None, agent: str = "") -> None:
        self.run, self.agent = run, agent
        self.start: Event | None = events.RunStarted(run=run, agent=agent, model=model, root=root, program="openhands")
        self.meter = Meter(run)
        self.branches = Branches(())

    def used(self, metrics: Mapping[str, Any]) -> list[Event]:
        """The part of the total usage that was not reported yet."""
        return self.meter.read(metrics)

    def events_of(self, whole: Any, source: Source) -> Iterator[Event]:
        """The events of one record."""
        event = msgspec.convert(whole, _Event)
        if self.branches.leaves_out(event.id, event.parent_id, event.kind == "MessageEvent" and event.source == "user"):
            return
        found = list(self._translate(event, seconds(event.timestamp), source))
        if found and self.start is not None:
            yield self.start
            self.start = None
        yield from (msgspec.structs.replace(one, agent=self.agent) for one in found) if self.agent else found

    def _translate(self, event: _Event, at: float | None, source: Source) -> Iterator[Event]:
        kind, run = event.kind, self.run
        if event.tool_name == _FINISH and kind not in _PASSED_OVER:
            yield from _last_word(event, run, at)
        elif kind == "ActionEvent":
            if said := plain_text(event.thought):
                yield events.AgentSpoke(run=run, at=at, text=said)
            yield events.ToolCalled(
                run=run,
                at=at,
                call=event.tool_call_id,
                tool=event.tool_name or "",
                args=_arguments(event),
                batch=event.llm_response_id,
            )
        elif kind in ("ObservationEvent", "AgentErrorEvent", "UserRejectObservation"):
            yield _result(event, run, at)
        elif kind == "MessageEvent":
            yield from _message(event, run, at)
        elif kind == "Condensation":
            yield events.ContextCompacted(run=run, at=at)
        elif kind not in _PASSED_OVER:
            source.skip(f"unknown kind {kind!r}")


def _arguments(event: _Event) -> dict[str, Any]:
    if isinstance(event.action, dict):
        return {key: value for key, value in event.action.items() if key != "kind" and value is not None}
    asked = event.tool_call.get("arguments") if isinstance(event.tool_call, dict) else None
    try:
        return from_json(asked, dict[str, Any]) if isinstance(asked, str) else {"input": asked}
    except FAULTS:
        return {"input": asked}


def _last_word(event: _Event, run: str, at: float | None) -> Iterator[Event]:
    """The end of a turn has the form of a call: report its message, or the guidance if the end was refused."""
    if event.kind == "ActionEvent":
        said = [plain_text(event.thought), plain_text(_arguments(event).get("message"))]
        yield from (events.AgentSpoke(run=run, at=at, text=text) for text in said if text)
    elif told := event.rejection_reason or event.error:
        yield events.Advised(run=run, at=at, text=told)


def _result(event: _Event, run: str, at: float | None) -> Event:
    seen = event.observation if isinstance(event.observation, dict) else {}
    metadata = seen["metadata"] if isinstance(seen.get("metadata"), dict) else {}
    exit_code = seen.get("exit_code", metadata.get("exit_code"))
    waiting = plain_text(metadata.get("suffix")) if exit_code == -1 else ""
    exit_code = exit_code if isinstance(exit_code, int) and exit_code >= 0 else None  # -1: still running
    is_denied = event.kind == "UserRejectObservation"
    has_failed = is_denied or event.kind == "AgentErrorEvent" or bool(seen.get("is_error") or seen.get("error"))
    output = event.error or event.rejection_reason or plain_text(seen.get("content") or seen.get("output") or seen)
    output = output or waiting
    return events.ToolReturned(
        run=run,
        at=at,
        call=event.tool_call_id,
        output=output,
        failed=True if has_failed and not exit_code else None if exit_code else False,
        exit_code=exit_code,
        denied=is_denied,
    )


def _message(event: _Event, run: str, at: float | None) -> Iterator[Event]:
    content = event.llm_message.get("content") if isinstance(event.llm_message, dict) else event.llm_message
    text = plain_text(content)
    if event.source == "user":
        yield events.UserSpoke(run=run, at=at, text=text)
    elif event.source == "agent" and text:
        yield events.AgentSpoke(run=run, at=at, text=text)
    advice = plain_text(event.extended_content) or (text if event.source in ("environment", "hook") else "")
    if advice:
        yield events.Advised(run=run, at=at, text=advice)
