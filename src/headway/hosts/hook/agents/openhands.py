"""OpenHands: `.openhands/hooks.json`.

The model sees the message of a hook only if a call is refused, at the end of a turn, and with a prompt: messages after
a call, or with a call that is allowed, are only written to OpenHands' record. So a nudge waits for a call that can be
held back. A run cannot be stopped either: after a stop every further call is refused, except `finish`, with which the
agent ends its turn.
"""

from headway.hosts.abilities import Abilities
from headway.hosts.hook.event import AFTER, BEFORE, PROMPT, SESSION_END, START, TURN_END, HookEvent, ToolUse
from headway.hosts.hook.host import Host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class OpenHands(Host):
    """OpenHands and its SDK."""

    name = "openhands"
    moments = {
        "SessionStart": START, "UserPromptSubmit": PROMPT, "PreToolUse": BEFORE, "PostToolUse": AFTER, "Stop": TURN_END,
        "SessionEnd": SESSION_END,
    }  # fmt: skip
    fields = {"event": ("event_type",), "cwd": ("working_dir",), "prompt": ("message",), "message": ("message",)}
    can = Abilities((PROMPT, START), hold=True)

    def event_from(self, data: "Mapping[str, Any]") -> HookEvent | None:
        """Read an event. The end of a turn is a call too, and the only event with the agent's final message."""
        if data.get("tool_name") != "finish":
            return super().event_from(data)
        if data.get("event_type") != "PreToolUse":
            return None
        said = data.get("tool_input")
        return super().event_from(
            {**data, "event_type": "Stop", "message": said.get("message") if isinstance(said, dict) else ""}
        )

    def uses(self, event: str, moment: str, data: "Mapping[str, Any]") -> "tuple[ToolUse, ...]":
        """Arguments include the name of their class and unset values."""
        uses = super().uses(event, moment, data)
        for use in uses:
            use.args = {name: value for name, value in use.args.items() if name != "kind" and value is not None}
        return uses

    def can_wait(self, use: ToolUse) -> bool:
        """All calls except input for a running program."""
        return not use.args.get("is_input")

    def result(self, use: ToolUse, hook_event: HookEvent) -> "dict[str, Any]":
        """The output, whether it failed, and the exit code; -1 means that the command is still running."""
        from headway.tools.envelope import plain_text

        seen = use.response if isinstance(use.response, dict) else {"content": use.response}
        metadata, code = seen.get("metadata"), seen.get("exit_code")
        suffix = metadata.get("suffix") if isinstance(metadata, dict) and code == -1 else ""
        code = code if type(code) is int and code >= 0 else None
        return {
            "output": plain_text(seen.get("content")) or plain_text(suffix),
            "failed": None if code else seen.get("is_error") is True,
            "exit_code": code,
        }

    def answer(self, hook_event: HookEvent, action: str, message: str) -> "dict[str, Any] | None":
        """A refusal with a reason, or context for a prompt."""
        if hook_event.moment == BEFORE or (hook_event.moment == TURN_END and action == "nudge"):
            return {"decision": "deny", "reason": message}
        return {"decision": "allow", "additionalContext": message} if hook_event.moment in self.can.tell else None
