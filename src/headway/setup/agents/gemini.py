"""Gemini CLI: `hooks` in `settings.json`, with event names of its own."""

from pathlib import Path
from typing import Any

from headway.setup.agent import TIMEOUT, Agent


class Gemini(Agent):
    """Timeouts are milliseconds here."""

    name = "gemini"
    title = "Gemini CLI"
    program = "gemini"
    events = ("SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd")

    def user_file(self) -> Path:
        """`~/.gemini/settings.json`."""
        return Path.home() / ".gemini" / "settings.json"

    def project_file(self, folder: Path) -> Path:
        """The project's `.gemini/settings.json`."""
        return folder / ".gemini" / "settings.json"

    def entry(self, command: str) -> dict[str, Any]:
        """A group with one handler, which has a name."""
        return {"hooks": [{"name": "headway", "type": "command", "command": command, "timeout": TIMEOUT * 1000}]}
