"""Cursor: `hooks.json`. It also runs Claude Code's hooks, so the same event may come twice.

It can be nudged after a tool and refused before one. It cannot be stopped: after a stop every further call is refused.
Its formats come from its published source and documentation, not from running it.
"""

from headway.hosts.abilities import Abilities
from headway.hosts.hook.event import AFTER, BEFORE, COMPACTED, PROMPT, SESSION_END, START, TURN_END, HookEvent, ToolUse
from headway.hosts.hook.host import Host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Cursor(Host):
    """The Cursor editor and its command line."""

    name = "cursor"
    moments = {
        "sessionStart": START, "beforeSubmitPrompt": PROMPT, "preToolUse": BEFORE, "postToolUse": AFTER,
        "postToolUseFailure": AFTER, "preCompact": COMPACTED, "stop": TURN_END, "sessionEnd": SESSION_END,
        "SessionStart": START, "UserPromptSubmit": PROMPT, "PreToolUse": BEFORE, "PostToolUse": AFTER,
        "PostToolUseFailure": AFTER, "PreCompact": COMPACTED, "Stop": TURN_END, "SessionEnd": SESSION_END,
    }  # fmt: skip
    silent = (
        "subagentStart", "subagentStop", "beforeShellExecution", "afterShellExecution", "beforeMCPExecution",
        "afterMCPExecution", "beforeReadFile", "afterFileEdit", "afterAgentResponse", "afterAgentThought",
        "beforeTabFileRead", "afterTabFileEdit", "workspaceOpen",
    )  # fmt: skip
    failures = ("postToolUseFailure", "PostToolUseFailure")
    can = Abilities((BEFORE, AFTER, START), hold=True, ask=True)
    fields = {
        "session": ("conversation_id", "session_id"), "response": ("tool_output", "tool_response"),
        "error": ("error_message", "error"), "prompt_id": ("generation_id",),
    }  # fmt: skip

    def event_from(self, data: "Mapping[str, Any]") -> HookEvent | None:
        """Read an event. Only some name the folder; all name the open ones."""
        roots = data.get("workspace_roots")
        root = roots[0] if isinstance(roots, list) and roots else ""
        kept_going = bool(data.get("loop_count")) or data.get("status") in ("aborted", "error")
        return super().event_from({"cwd": root, "stop_hook_active": kept_going, **data})

    def result(self, use: ToolUse, hook_event: HookEvent) -> "dict[str, Any]":
        """The output is text, which may contain JSON."""
        from headway.hosts.hook.agents.claude_code import shown

        return {"output": shown(use.response), "failed": use.failed}

    def answer(self, hook_event: HookEvent, action: str, message: str) -> "dict[str, Any] | None":
        """Context after a tool, a refusal before one, a further message at the end of a turn."""
        if hook_event.moment == BEFORE:
            if action == "nudge":
                return {"permission": "allow", "agent_message": message}
            word = "ask" if action == "escalate" else "deny"
            return {"permission": word, "user_message": message, "agent_message": message}
        if hook_event.moment in self.can.tell:
            return {"additional_context": message}
        return {"followup_message": message} if hook_event.moment == TURN_END and action == "nudge" else None
