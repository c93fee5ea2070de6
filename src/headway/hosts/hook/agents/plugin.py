"""Agents that are reached through a plugin of ours, which runs the hook command and does what it answers.

The shapes on both sides are Headway's own; a plugin only names its events. The plugins are in `headway/setup/plugins`.
"""

from headway.hosts.hook.event import BEFORE, TURN_END, HookEvent, ToolUse
from headway.hosts.hook.host import Host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class PluginHost(Host):
    """An agent whose plugin reports a result as `{output, failed}`."""

    fields = {
        "session": ("sessionID",), "cwd": ("directory",), "call": ("callID",), "tool": ("tool",), "args": ("args",),
        "response": ("output",), "message": ("message",),
    }  # fmt: skip

    def result(self, use: ToolUse, heard: HookEvent) -> "dict[str, Any]":
        """The text that the model sees, and whether the tool says that it failed."""
        response = use.response if isinstance(use.response, dict) else {"output": use.response}
        failed = response.get("failed")
        return {"output": str(response.get("output") or ""), "failed": failed if isinstance(failed, bool) else None}

    def answer(self, heard: HookEvent, action: str, message: str) -> "dict[str, Any] | None":
        """One word and a text; the plugin does the rest."""
        if action == "stop":
            return {"stop": message}
        if heard.moment == BEFORE and action in ("block", "escalate"):
            return {"deny": message}
        if heard.moment == TURN_END and self.can.hold and action == "nudge":
            return {"go_on": message}
        return {"tell": message} if heard.moment in self.can.tell else None
