"""Copilot CLI: hooks in its own files or in Claude Code's. The spelling of an event's name decides its format.

It can be nudged after a tool (at the top level only) and refused before one. It cannot be stopped: after a stop every
further call is refused. A shell command that exits with an error counts as a success there; the exit code is in the
text. In the camelCase format events have no name and calls no id, so an event is recognised by its fields.
"""

from headway.hosts.abilities import Abilities
from headway.hosts.hook.event import AFTER, BEFORE, COMPACTED, PROMPT, SESSION_END, START, TURN_END, HookEvent, ToolUse
from headway.hosts.hook.host import Host, keep_going

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_OTHER = "other"
"""The name for an event that has none and cannot be recognised."""


class CopilotCli(Host):
    """GitHub's Copilot CLI."""

    name = "copilot"
    moments = {
        "SessionStart": START, "UserPromptSubmit": PROMPT, "PreToolUse": BEFORE, "PostToolUse": AFTER,
        "PostToolUseFailure": AFTER, "PreCompact": COMPACTED, "Stop": TURN_END, "SubagentStop": TURN_END,
        "SessionEnd": SESSION_END,
        "sessionStart": START, "userPromptSubmitted": PROMPT, "preToolUse": BEFORE, "postToolUse": AFTER,
        "postToolUseFailure": AFTER, "preCompact": COMPACTED, "agentStop": TURN_END, "sessionEnd": SESSION_END,
    }  # fmt: skip
    silent = ("ErrorOccurred", _OTHER)
    failures = ("PostToolUseFailure", "postToolUseFailure")
    can = Abilities((AFTER, START), hold=True)
    fields = {
        "session": ("session_id", "sessionId"), "tool": ("tool_name", "toolName"), "args": ("tool_input", "toolArgs"),
        "response": ("tool_result", "toolResult"), "transcript": ("transcript_path", "transcriptPath"),
    }  # fmt: skip

    def event_from(self, data: "Mapping[str, Any]") -> HookEvent | None:
        """Read an event. One without a name gets one."""
        return super().event_from(data if "hook_event_name" in data else {**data, "hook_event_name": _name(data)})

    def result(self, use: ToolUse, hook_event: HookEvent) -> "dict[str, Any]":
        """What the model sees. It ends with the exit code of a shell command."""
        from headway.tools.envelope import plain_text

        response = use.response
        if not isinstance(response, dict):
            return {"output": plain_text(response), "failed": use.failed}
        text = response.get("text_result_for_llm", response.get("textResultForLlm"))
        kind = response.get("result_type", response.get("resultType"))
        output, code = _without_shell(plain_text(text))
        return {
            "output": output,
            "failed": True if kind == "failure" else use.failed,
            "exit_code": code,
            "denied": kind in ("denied", "rejected"),
        }

    def answer(self, hook_event: HookEvent, action: str, message: str) -> "dict[str, Any] | None":
        """Context after a tool, a refusal before one."""
        if hook_event.moment == BEFORE:
            refusal = {"permissionDecision": "deny", "permissionDecisionReason": message}
            return None if action == "nudge" else refusal
        if hook_event.moment in self.can.tell:
            return {"additionalContext": message}
        return keep_going(hook_event, action, message)


def _without_shell(text: str) -> tuple[str, int | None]:
    """The text without the line about its shell, whose number always differs, and the exit code in that line."""
    before, found, after = text.rstrip().rpartition("<shellId: ")
    code = after.removesuffix(">").rpartition(" completed with exit code ")[2]
    return (before, int(code)) if found and after.endswith(">") and code.isdecimal() else (text, None)


def _name(data: "Mapping[str, Any]") -> str:
    """The name of an event with these fields."""
    if "toolName" in data:
        return "postToolUse" if "toolResult" in data else "postToolUseFailure" if "error" in data else "preToolUse"
    by_field = {"prompt": "userPromptSubmitted", "stopReason": "agentStop", "source": "sessionStart"}
    by_field |= {"initialPrompt": "sessionStart", "trigger": "preCompact", "reason": "sessionEnd"}
    return next((name for field, name in by_field.items() if field in data), _OTHER if "sessionId" in data else "")
