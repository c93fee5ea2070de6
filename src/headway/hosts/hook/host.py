"""Base class of all agent programs. Reads the event format that most of them share.

The format is Claude Code's: `hook_event_name`, `session_id`, `cwd`, `tool_name`, `tool_input`, `tool_response`.
`Host.fields` has the fields that a program names differently; `Host.moments` says what its events mean.
"""

from abc import ABC, abstractmethod

from headway.hosts import as_arguments
from headway.hosts.abilities import Abilities
from headway.hosts.hook.event import (
    AFTER,
    BEFORE,
    COMPACTED,
    NEWS,
    PROMPT,
    REMARK,
    START,
    TURN_END,
    WAITING,
    HookEvent,
    HookReply,
    NotUnderstoodError,
    ToolUse,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from headway.core.call import Call
    from headway.core.events import Sender
    from headway.hosts.hook.event import Response


SILENT = (
    "Notification", "UserPromptExpansion", "StopFailure", "SubagentStart", "SubagentStop", "PostCompact", "Setup",
    "PreModelSwitch", "PostModelSwitch", "PermissionRequest", "PermissionDenied", "TeammateIdle", "TaskCreated",
    "TaskCompleted", "Elicitation", "ElicitationResult", "ConfigChange", "WorktreeCreate", "WorktreeRemove",
    "InstructionsLoaded", "CwdChanged", "FileChanged", "DirectoryAdded", "MessageDisplay", "PostToolBatch",
)  # fmt: skip
"""Events of Claude Code, and of programs that run its hooks, that Headway does not need."""
_LONGEST_NAME = 40


class Host(ABC):
    """One agent program: translates its events into `HookEvent`, and deliveries into its own format."""

    name = ""
    moments: "Mapping[str, str]" = {}
    """What each of its events means."""
    silent: "tuple[str, ...]" = ()
    """Events of its own that Headway does not need, in addition to those in `SILENT`."""
    failures: "tuple[str, ...]" = ()
    """Events that say that a tool failed."""
    asks: "tuple[str, ...]" = ()
    """Tools that ask a person something."""
    fields: "Mapping[str, tuple[str, ...]]" = {}
    """Fields that it names differently, by their name in `_FIELDS`."""

    is_brief = True
    """Whether a call that cannot be refused is only noted when it is announced, so that the engine is not loaded.

    It then counts as requested when its result comes, which is after any nudge about the results of parallel calls.
    """
    is_attended = True
    """Whether a person uses the program interactively, and can answer with a `headway` command."""

    usage_mark = b""
    """What every record of its transcript contains that says what a response has used; empty if none says it."""
    tells_usage = False
    """Whether its events say what the model has used."""
    shows_remarks = False
    """Whether any of its events may be answered with a message for the person alone."""

    can: Abilities
    """What it can do about a decision."""

    def event_from(self, data: "Mapping[str, Any]") -> HookEvent | None:
        """Read an event. None if it is known and not needed; an unknown one raises `NotUnderstoodError`."""
        event = self.text(data, "event")
        moment = self.moments.get(event)
        session = self.text(data, "session")
        if moment is None:
            self._refuse_unknown(event)
            return None
        if not session:
            raise NotUnderstoodError(f"{self.name} sent {event} without the id of a session")
        if not self.is_meaningful(moment, data):
            return None
        at, sender = self.time(data), self.sender(moment, data)
        return HookEvent(
            event,
            NEWS if sender == NEWS else moment,
            session,
            agent=self.text(data, "agent"),
            cwd=self.text(data, "cwd"),
            model=self.text(data, "model") or None,
            at=at,
            mark=self.text(data, "prompt_id") or ("" if at is None else f"{at:.3f}"),
            text=self.text(data, {PROMPT: "prompt", WAITING: "notice"}.get(moment, "message")),
            again=self.value(data, "again") is True,
            uses=self.uses(event, moment, data),
            transcript=self.text(data, "transcript"),
            compacted=(moment == COMPACTED and COMPACTED in self.can.tell)
            or (moment == START and data.get("source") == "compact"),
            sender=sender or "",
        )

    def _refuse_unknown(self, event: str) -> None:
        if event in SILENT or event in self.silent:
            return
        is_name = len(event) <= _LONGEST_NAME and event.isascii() and event.replace(".", "").replace("_", "").isalpha()
        called = f"called {event}, which is not known" if is_name else "that has no name"
        raise NotUnderstoodError(f"{self.name} sent an event {called}")

    def is_meaningful(self, moment: str, data: "Mapping[str, Any]") -> bool:
        """Whether this event means what its name says. An empty prompt does not, nor text of the program."""
        if moment != PROMPT:
            return True
        return bool(self.text(data, "prompt").strip()) and self.sender(moment, data) is not None

    def sender(self, moment: str, data: "Mapping[str, Any]") -> "Sender | None":
        """Who wrote a prompt; empty if that is not known, as with most programs; None if it is not a message."""
        if moment != PROMPT:
            return ""
        from headway.tools.senders import sender_of  # most events are no prompts

        return sender_of(self.name, self.text(data, "prompt"), source=data.get("source"))

    def uses(self, event: str, moment: str, data: "Mapping[str, Any]") -> "tuple[ToolUse, ...]":
        """The calls an event is about."""
        if moment not in (BEFORE, AFTER):
            return ()
        failed = event in self.failures
        return (
            ToolUse(
                self.text(data, "call"),
                self.text(data, "tool"),
                as_arguments(self.value(data, "args")),
                response=self.value(data, "error" if failed else "response") if moment == AFTER else None,
                failed=True if failed else None,
            ),
        )

    def question(self, hook_event: HookEvent) -> str:
        """What a person has to answer before the requested call ends; empty if it asks nothing."""
        asks = hook_event.moment == BEFORE and any(use.tool in self.asks for use in hook_event.uses)
        return "The agent asks you a question." if asks else ""

    def may_go_unreported(self, use: ToolUse) -> bool:
        """Whether a call may be announced and its result never reported, because it fails or is denied."""
        return False

    def unreported(self, call: "Call", hook_event: HookEvent, is_over: bool) -> "dict[str, Any] | None":
        """The fields of `ToolReturned` for a call that was announced and not reported; None while it may still run.

        It is over when the model requests calls in a later answer, when it requests the same call again, or when the
        turn ends. If nothing else is known, the call did not run.
        """
        return {"failed": True, "denied": True} if is_over else None

    def can_wait(self, use: ToolUse) -> bool:
        """Whether a call that reads or runs something may be held back once, to deliver a message instead."""
        return True

    def result(self, use: ToolUse, hook_event: HookEvent) -> "dict[str, Any]":
        """The fields of `ToolReturned` that can be read from a result."""
        from headway.tools.envelope import plain_text

        return {"output": plain_text(use.response), "failed": use.failed}

    def transcript_of(self, hook_event: HookEvent) -> str:
        """The file in which the program records what this agent has used; empty if it is not known."""
        return "" if hook_event.agent else hook_event.transcript

    def usage_in(self, record: "Mapping[str, Any]", agent: str) -> "Response | None":
        """What a record of an agent's transcript says about usage."""
        return None

    def reply(self, hook_event: HookEvent, said: HookReply) -> "dict[str, Any] | None":
        """The answer to an event."""
        if said.action == REMARK:
            return {"systemMessage": f"Headway: {said.message}"}
        return self.answer(hook_event, said.action, said.message)

    @abstractmethod
    def answer(self, hook_event: HookEvent, action: str, message: str) -> "dict[str, Any] | None":
        """A delivery in the host's format: the JSON to print, or None for nothing.

        `action` is "nudge", "block", "stop" or "escalate", as far as the host's abilities go.
        """

    def sentence(self, hook_event: HookEvent, action: str, reason: str, message: str, at_limit: bool = False) -> str:
        """The message as a whole sentence. What ends a stop differs at a limit: the user's next message does not."""
        if hook_event.agent and action == "stop":
            return f"Headway stopped this sub-agent. {message}"
        return _SENTENCES["limit" if at_limit and action == "stop" else action].format(message)

    def time(self, data: "Mapping[str, Any]") -> float | None:
        """When it happened, if the host says so."""
        stamp = data.get("timestamp")
        if isinstance(stamp, (int, float)):
            return stamp / 1000
        if isinstance(stamp, str):
            from datetime import datetime

            try:
                return datetime.fromisoformat(stamp).timestamp()
            except ValueError:
                return None
        return None

    def value(self, data: "Mapping[str, Any]", field: str) -> "Any":
        """One field, under the first of its names that occurs."""
        for name in self.fields.get(field) or _FIELDS[field]:
            if name in data:
                return data[name]
        return None

    def text(self, data: "Mapping[str, Any]", field: str) -> str:
        """One field, if it is text."""
        value = self.value(data, field)
        return value if isinstance(value, str) else ""


# `agents/claude_code.py` recognises the words of "escalate" in a denied call (`_NOT_RUN`, `_OF_A_DENIAL`): change both.
_SENTENCES = {
    "nudge": "Headway: {}",
    "block": "Headway refused this call. {}",
    "stop": "Headway stopped this run until the user sends a message. {}",
    "limit": "Headway stopped this run until the user raises its limit and sends a message. {}",
    "escalate": "Headway asks the user to look at this. {}",
}
_FIELDS: "dict[str, tuple[str, ...]]" = {
    "event": ("hook_event_name",),
    "session": ("session_id",),
    "agent": ("agent_id",),
    "cwd": ("cwd",),
    "model": ("model",),
    "call": ("tool_use_id",),
    "tool": ("tool_name",),
    "args": ("tool_input",),
    "response": ("tool_response",),
    "error": ("error",),
    "prompt": ("prompt",),
    "prompt_id": ("prompt_id",),
    "message": ("last_assistant_message",),
    "notice": ("message",),
    "again": ("stop_hook_active",),
    "transcript": ("transcript_path",),
}


def nested(hook_event: HookEvent, **fields: "Any") -> "dict[str, Any]":
    """Claude Code's format for an answer to one event."""
    return {"hookSpecificOutput": {"hookEventName": hook_event.event, **fields}}


def keep_going(hook_event: HookEvent, action: str, message: str) -> "dict[str, Any] | None":
    """Claude Code's format at the end of a turn: the message makes the agent continue."""
    return {"decision": "block", "reason": message} if hook_event.moment == TURN_END and action == "nudge" else None
