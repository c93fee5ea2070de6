"""Cursor: `hooks.json`."""

from pathlib import Path
from types import MappingProxyType
from typing import Any

from headway.setup.agent import TIMEOUT, Agent


class Cursor(Agent):
    """Events in camelCase, handlers without groups."""

    name = "cursor"
    title = "Cursor"
    program = "cursor"
    events = (
        "sessionStart",
        "beforeSubmitPrompt",
        "preToolUse",
        "postToolUse",
        "postToolUseFailure",
        "preCompact",
        "stop",
        "sessionEnd",
    )
    new_file = MappingProxyType({"version": 1})

    def user_file(self) -> Path:
        """`~/.cursor/hooks.json`."""
        return Path.home() / ".cursor" / "hooks.json"

    def project_file(self, folder: Path) -> Path:
        """The project's `.cursor/hooks.json`."""
        return folder / ".cursor" / "hooks.json"

    def entry(self, command: str) -> dict[str, Any]:
        """A handler."""
        return {"command": command, "timeout": TIMEOUT}
