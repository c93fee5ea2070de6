"""Agents that are connected by our plugin, which runs the hook command and applies its answer.

The formats on both sides are Headway's own; a plugin only names its events. The plugins are in `headway/setup/plugins`.
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

    def result(self, use: ToolUse, hook_event: HookEvent) -> "dict[str, Any]":
        """The text that the model sees, and whether the tool reports a failure."""
        response = use.response if isinstance(use.response, dict) else {"output": use.response}
        failed = response.get("failed")
        failed = failed if isinstance(failed, bool) else None
        if response == {"failed": failed}:  # the tool said nothing else
            return {"output": "", "failed": failed}
        return {"output": _as_text(response.get("output", response)), "failed": failed}

    def answer(self, hook_event: HookEvent, action: str, message: str) -> "dict[str, Any] | None":
        """An action and a text; the plugin applies them."""
        if action == "stop":
            return {"stop": message}
        if hook_event.moment == BEFORE and action in ("block", "escalate"):
            return {"deny": message}
        if hook_event.moment == TURN_END and self.can.hold and action == "nudge":
            return {"go_on": message}
        return {"tell": message} if hook_event.moment in self.can.tell else None


def _as_text(told: object) -> str:
    """What a tool returned, as text; other values become JSON, so that different results stay different."""
    if isinstance(told, str) or told is None:
        return told or ""
    import json  # results are nearly always text

    return json.dumps(told, ensure_ascii=False, sort_keys=True)
