"""Qwen Code: Claude Code's events with Gemini's tools; hooks in `settings.json`.

It can be nudged after a tool and refused before one. An answer cannot stop a run: after a stop every further call is
refused. It announces an empty prompt after every result, which is not a user message.
"""

from headway.hosts.abilities import Abilities
from headway.hosts.hook.agents.gemini_cli import llm_result
from headway.hosts.hook.event import (
    AFTER,
    BEFORE,
    COMPACTED,
    PROMPT,
    SESSION_END,
    START,
    TURN_END,
    HookEvent,
    Response,
    ToolUse,
)
from headway.hosts.hook.host import Host, keep_going, nested

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class QwenCode(Host):
    """Alibaba's Qwen Code."""

    name = "qwen"
    moments = {
        "SessionStart": START, "UserPromptSubmit": PROMPT, "PreToolUse": BEFORE, "PostToolUse": AFTER,
        "PostToolUseFailure": AFTER, "PreCompact": COMPACTED, "Stop": TURN_END, "SubagentStop": TURN_END,
        "SessionEnd": SESSION_END,
    }  # fmt: skip
    silent = ("SessionDelete", "TodoCreated", "TodoCompleted")
    failures = ("PostToolUseFailure",)
    usage_mark = b'"usageMetadata"'
    shows_remarks = True
    can = Abilities((AFTER, PROMPT, START), hold=True)

    def result(self, use: ToolUse, hook_event: HookEvent) -> "dict[str, Any]":
        """What the model sees."""
        return llm_result(use)

    def usage_in(self, record: "Mapping[str, Any]", agent: str) -> Response | None:
        """The tokens of an answer."""
        used = record.get("usageMetadata")
        if not used or (record.get("isSidechain") and not agent):
            return None
        wrote = (used.get("candidatesTokenCount") or 0) + (used.get("thoughtsTokenCount") or 0)
        cached = used.get("cachedContentTokenCount")
        return Response(str(record.get("uuid")), record.get("model"), used.get("promptTokenCount"), wrote, cached, 0)

    def answer(self, hook_event: HookEvent, action: str, message: str) -> "dict[str, Any] | None":
        """Context after a tool, a refusal before one; `systemMessage` is for the user."""
        seen = {"systemMessage": message}
        if hook_event.moment == BEFORE:
            refusal = nested(hook_event, permissionDecision="deny", permissionDecisionReason=message)
            return None if action == "nudge" else refusal | seen
        if hook_event.moment in self.can.tell:
            return nested(hook_event, additionalContext=message) | seen
        if hook_event.moment == TURN_END and action == "stop":
            return {"continue": False, "stopReason": message, **seen}
        answer = keep_going(hook_event, action, message)
        return None if answer is None else answer | seen
