"""Cursor: `hooks.json`."""

import os
from pathlib import Path
from types import MappingProxyType
from typing import Any

from headway.setup.agent import SAMPLE_OUTPUT, TIMEOUT, Agent
from headway.setup.command import PROCESS, SOCKET


class Cursor(Agent):
    """Events in camelCase, handlers without groups."""

    name = "cursor"
    title = "Cursor"
    program = "cursor"
    ways = (PROCESS, SOCKET)
    user_folder = ".cursor"
    events = (
        "sessionStart", "beforeSubmitPrompt", "preToolUse", "postToolUse", "postToolUseFailure", "preCompact", "stop",
        "sessionEnd",
    )  # fmt: skip
    new_file = MappingProxyType({"version": 1})

    def user_file(self) -> Path:
        """`~/.cursor/hooks.json`."""
        return Path.home() / ".cursor" / "hooks.json"

    def project_file(self, folder: Path) -> Path:
        """The project's `.cursor/hooks.json`."""
        return folder / ".cursor" / "hooks.json"

    def sample(self, number: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """Similar to Claude Code."""
        own = {"conversation_id": "rehearsal", "cursor_version": "0", "workspace_roots": [os.sep]}
        before, after = ({**event, **own} for event in super().sample(number))
        before["hook_event_name"], after["hook_event_name"] = "preToolUse", "postToolUse"
        return before, {**after, "tool_output": SAMPLE_OUTPUT}

    def entry(self, command: str) -> dict[str, Any]:
        """A handler."""
        return {"command": command, "timeout": TIMEOUT}
