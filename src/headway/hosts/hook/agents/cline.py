"""Cline: events come through a plugin.

It can be nudged after a tool, refused before one, and stopped. It does not report compactions, and it ignores what a
plugin returns at the end of a run.
"""

from headway.hosts.abilities import Abilities
from headway.hosts.hook.agents.plugin import PluginHost
from headway.hosts.hook.event import AFTER, BEFORE, PROMPT, TURN_END, HookEvent, ToolUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_OPENING, _CLOSING = "<user_input", "</user_input>"


class Cline(PluginHost):
    """Cline's command line, and other programs built on its core."""

    name = "cline"
    moments = {"beforeRun": PROMPT, "beforeTool": BEFORE, "afterTool": AFTER, "afterRun": TURN_END}
    fields = {**PluginHost.fields, "event": ("cline_event",)}
    can = Abilities((AFTER,), stop=True)

    def event_from(self, data: "Mapping[str, Any]") -> HookEvent | None:
        """Read an event. A prompt is between tags."""
        prompt = data.get("prompt")
        return super().event_from({**data, "prompt": _inside_tags(prompt)} if isinstance(prompt, str) else data)

    def result(self, use: ToolUse, hook_event: HookEvent) -> "dict[str, Any]":
        """The output is text, or a list with one result for each question in the call."""
        from headway.tools.envelope import plain_text

        response = use.response if isinstance(use.response, dict) else {"output": use.response}
        output = response.get("output")
        answers = output if isinstance(output, list) else [output]
        parts = [one for one in answers if isinstance(one, dict) and "success" in one]
        if len(parts) != len(answers):
            return {"output": plain_text(output), "failed": True if response.get("isError") is True else None}
        text = "\n".join(plain_text(one.get("result")) or plain_text(one.get("error")) for one in parts)
        return {"output": text, "failed": not all(one["success"] is True for one in parts)}


def _inside_tags(prompt: str) -> str:
    """The user's own text."""
    start = prompt.find(">", prompt.find(_OPENING)) + 1 if _OPENING in prompt else 0
    end = prompt.find(_CLOSING, start)
    return prompt[start:] if end < 0 else prompt[start:end]
