"""Cline: events come through a plugin.

It can be told after a tool, refused before one, and stopped. It says nothing of compactions, and what a plugin says at
the end of a run is not passed on.
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
    """Cline's command line, and what else is built on its core."""

    name = "cline"
    moments = {"beforeRun": PROMPT, "beforeTool": BEFORE, "afterTool": AFTER, "afterRun": TURN_END}
    fields = {**PluginHost.fields, "event": ("cline_event",)}
    can = Abilities((AFTER,), stop=True)

    def hear(self, data: "Mapping[str, Any]") -> HookEvent | None:
        """A prompt stands between tags."""
        prompt = data.get("prompt")
        return super().hear({**data, "prompt": _inside_tags(prompt)} if isinstance(prompt, str) else data)

    def uses(self, event: str, moment: str, data: "Mapping[str, Any]") -> "tuple[ToolUse, ...]":
        """Shell commands come as a list, also a single one."""
        uses = super().uses(event, moment, data)
        for use in uses:
            commands = use.args.get("commands")
            if isinstance(commands, list) and all(isinstance(command, str) for command in commands):
                use.args = {"command": "\n".join(commands)}
        return uses

    def result(self, use: ToolUse, heard: HookEvent) -> "dict[str, Any]":
        """The output is a text, or a list with one answer for each question in the call."""
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
    """What the person wrote."""
    start = prompt.find(">", prompt.find(_OPENING)) + 1 if _OPENING in prompt else 0
    end = prompt.find(_CLOSING, start)
    return prompt[start:] if end < 0 else prompt[start:end]
