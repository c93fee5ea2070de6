"""OpenCode: events come through our plugin, which runs the hook command and applies its answer.

It can be nudged after a tool, refused before one, and stopped. The formats on both sides are ours.
"""

from headway.hosts.abilities import Abilities
from headway.hosts.hook.agents.plugin import PluginHost
from headway.hosts.hook.event import AFTER, BEFORE, COMPACTED, PROMPT, SESSION_END, START, TURN_END, HookEvent, ToolUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class OpenCode(PluginHost):
    """The OpenCode terminal agent."""

    name = "opencode"
    moments = {
        "session.created": START, "chat.message": PROMPT, "tool.execute.before": BEFORE, "tool.execute.after": AFTER,
        "session.compacted": COMPACTED, "session.idle": TURN_END, "session.deleted": SESSION_END,
    }  # fmt: skip
    can = Abilities((AFTER, COMPACTED), stop=True)
    fields = {**PluginHost.fields, "event": ("opencode_event",)}

    def result(self, use: ToolUse, hook_event: HookEvent) -> "dict[str, Any]":
        """The output, and the tool's metadata."""
        response = use.response if isinstance(use.response, dict) else {"output": use.response}
        facts: dict[str, Any] = response["metadata"] if isinstance(response.get("metadata"), dict) else {}
        code, count = facts.get("exit"), facts.get("matches", facts.get("count"))
        return {
            "output": str(response.get("output") or ""),
            "exit_code": code if type(code) is int else None,
            "hits": count if type(count) is int else None,
        }
