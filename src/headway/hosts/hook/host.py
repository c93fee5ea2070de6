"""What every agent program has in common, and the reading of the event shape that most of them share.

The shape is Claude Code's: `hook_event_name`, `session_id`, `cwd`, `tool_name`, `tool_input`, `tool_response`. Programs
that spell a field differently say so in `Host.fields`; what their events mean stands in `Host.moments`.
"""

from abc import ABC, abstractmethod

from headway.hosts.abilities import Abilities
from headway.hosts.hook.event import (
    AFTER,
    BEFORE,
    COMPACTED,
    PROMPT,
    START,
    TURN_END,
    HookEvent,
    NotUnderstoodError,
    ToolUse,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from headway.core.call import Call

MACHINE_MADE = ("<task-notification>", "<system-reminder>", "<local-command-", "<command-message>")
"""How prompts begin that no person wrote."""


SILENT = (
    "Notification", "UserPromptExpansion", "StopFailure", "SubagentStart", "SubagentStop", "PostCompact", "Setup",
    "PreModelSwitch", "PostModelSwitch", "PermissionRequest", "PermissionDenied", "TeammateIdle", "TaskCreated",
    "TaskCompleted", "Elicitation", "ElicitationResult", "ConfigChange", "WorktreeCreate", "WorktreeRemove",
    "InstructionsLoaded", "CwdChanged", "FileChanged", "DirectoryAdded", "MessageDisplay", "PostToolBatch",
)  # fmt: skip
"""Events of Claude Code, and of programs that run its hooks, that need not tell anything."""
_LONGEST_NAME = 40


class Host(ABC):
    """One agent program: its events into `HookEvent`, a decision into its answer."""

    name = ""
    moments: "Mapping[str, str]" = {}
    """What each of its events means."""
    silent: "tuple[str, ...]" = ()
    """Its own events that tell us nothing, beside those in `SILENT`."""
    failures: "tuple[str, ...]" = ()
    """Events that say that a tool failed."""
    fields: "Mapping[str, tuple[str, ...]]" = {}
    """Where it spells a field differently, by the name in `_FIELDS`."""

    can: Abilities
    """What it can do about a decision."""

    def hear(self, data: "Mapping[str, Any]") -> HookEvent | None:
        """What an event tells, or None for one that is known to tell nothing; any other is not understood."""
        event = self.text(data, "event")
        moment = self.moments.get(event)
        session = self.text(data, "session")
        if moment is None:
            self._refuse_unknown(event)
            return None
        if not session:
            raise NotUnderstoodError(f"{self.name} sent {event} without the id of a session")
        if not self.is_telling(moment, data):
            return None
        at = self.time(data)
        return HookEvent(
            event,
            moment,
            session,
            agent=self.text(data, "agent"),
            cwd=self.text(data, "cwd"),
            model=self.text(data, "model") or None,
            at=at,
            mark=self.text(data, "prompt_id") or ("" if at is None else f"{at:.3f}"),
            text=self.text(data, "prompt" if moment == PROMPT else "message"),
            again=self.value(data, "again") is True,
            uses=self.uses(event, moment, data),
            transcript=self.text(data, "transcript"),
            compacted=(moment == COMPACTED and COMPACTED in self.can.tell)
            or (moment == START and data.get("source") == "compact"),
        )

    def _refuse_unknown(self, event: str) -> None:
        if event in SILENT or event in self.silent:
            return
        is_name = len(event) <= _LONGEST_NAME and event.isascii() and event.replace(".", "").replace("_", "").isalpha()
        called = f"called {event}, which is not known" if is_name else "that has no name"
        raise NotUnderstoodError(f"{self.name} sent an event {called}")

    def is_telling(self, moment: str, data: "Mapping[str, Any]") -> bool:
        """Whether this event means what its name says; a prompt does only if a person wrote it."""
        if moment != PROMPT:
            return True
        prompt = self.text(data, "prompt").lstrip()
        return (
            bool(prompt) and not prompt.startswith(MACHINE_MADE) and data.get("source") not in ("system", "poll_event")
        )

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

    def may_go_unreported(self, use: ToolUse) -> bool:
        """Whether an announced call may have no result event, because it fails or is denied."""
        return False

    def unreported(self, call: "Call", heard: HookEvent, is_over: bool) -> "dict[str, Any] | None":
        """The fields of `ToolReturned` for a call that was announced and not reported; None while it may still run.

        It is over when calls of a later answer of the model are announced, when it is asked for again, and at the end
        of the turn. Without better knowledge it did not run.
        """
        return {"failed": True, "denied": True} if is_over else None

    def can_wait(self, use: ToolUse) -> bool:
        """Whether a call that looks or runs something may be held back once, to say something in its place."""
        return True

    def result(self, use: ToolUse, heard: HookEvent) -> "dict[str, Any]":
        """The fields of `ToolReturned` that a result tells."""
        from headway.tools.envelope import plain_text

        return {"output": plain_text(use.response), "failed": use.failed}

    @abstractmethod
    def answer(self, heard: HookEvent, action: str, message: str) -> "dict[str, Any] | None":
        """Our decision in the host's words: the JSON to print, or None where it cannot be told anything."""

    def time(self, data: "Mapping[str, Any]") -> float | None:
        """When it happened, where the host says."""
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
        """One field, under the first of its names that is there."""
        for name in self.fields.get(field) or _FIELDS[field]:
            if name in data:
                return data[name]
        return None

    def text(self, data: "Mapping[str, Any]", field: str) -> str:
        """The same, if it is a text."""
        value = self.value(data, field)
        return value if isinstance(value, str) else ""


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
    "again": ("stop_hook_active",),
    "transcript": ("transcript_path",),
}


def as_arguments(value: "Any") -> "Mapping[str, Any]":
    """Arguments as a mapping, whatever the host sent; some send JSON in a text."""
    if isinstance(value, dict):
        return value
    if isinstance(value, str) and value.startswith("{"):
        import json

        try:
            parsed = json.loads(value)
        except ValueError:
            return {"input": value}
        return parsed if isinstance(parsed, dict) else {"input": value}
    return {} if value is None else {"input": value}


def nested(heard: HookEvent, **fields: "Any") -> "dict[str, Any]":
    """Claude Code's way of saying something about one event."""
    return {"hookSpecificOutput": {"hookEventName": heard.event, **fields}}


def keep_going(heard: HookEvent, action: str, message: str) -> "dict[str, Any] | None":
    """Claude Code's way to speak at the end of a turn: what is said there makes the agent go on."""
    return {"decision": "block", "reason": message} if heard.moment == TURN_END and action == "nudge" else None
