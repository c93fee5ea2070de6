"""OpenHands: `.openhands/hooks.json`.

It can be told after a tool, refused before one, and kept from ending. It cannot be stopped by an answer, so
after a stop every further call is refused. Its shapes are known from its published source, not from running it.
"""

from headway.hosts.hook.heard import AFTER, BEFORE, PROMPT, SESSION_END, START, TURN_END, Heard, ToolUse
from headway.hosts.hook.host import Host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class OpenHands(Host):
    """OpenHands and its SDK."""

    name = "openhands"
    moments = {
        "SessionStart": START, "UserPromptSubmit": PROMPT, "PreToolUse": BEFORE, "PostToolUse": AFTER, "Stop": TURN_END,
        "SessionEnd": SESSION_END,
    }  # fmt: skip
    fields = {"event": ("event_type",), "cwd": ("working_dir",), "prompt": ("message",), "message": ("message",)}

    def result(self, use: ToolUse, heard: Heard) -> "dict[str, Any]":
        """The output, and the exit code where there is one."""
        code = use.response.get("exit_code") if isinstance(use.response, dict) else None
        return super().result(use, heard) | {"exit_code": code if type(code) is int else None}

    def answer(self, heard: Heard, action: str, message: str) -> "dict[str, Any] | None":
        """Context, or a refusal with a reason."""
        if heard.moment == BEFORE and action in ("block", "stop", "escalate"):
            return {"decision": "deny", "reason": message}
        if heard.moment in (BEFORE, AFTER, PROMPT, START):
            return {"decision": "allow", "additionalContext": message}
        return {"decision": "deny", "reason": message} if heard.moment == TURN_END and action == "nudge" else None
