"""Gemini CLI: `hooks` in `settings.json`, with event names of its own."""

import os
from pathlib import Path
from typing import Any

from headway.setup.agent import SAMPLE, SAMPLE_OUTPUT, TIMEOUT, Agent, at_second, switched_off


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

    def obstacles(self, path: Path) -> list[tuple[str, str]]:
        """All hooks can be switched off at once."""
        return switched_off(path, "hooksConfig.enabled", False)

    def sample(self, number: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """Calls have no ids here, but every event has a time."""
        call = {**SAMPLE, "session_id": "rehearsal", "cwd": os.sep}
        before = {**call, "hook_event_name": "BeforeTool", "timestamp": at_second(2 * number)}
        result = {"tool_response": {"llmContent": SAMPLE_OUTPUT}, "timestamp": at_second(2 * number + 1)}
        return before, {**call, "hook_event_name": "AfterTool", **result}

    def entry(self, command: str) -> dict[str, Any]:
        """A group with one handler, which has a name."""
        return {"hooks": [{"name": "headway", "type": "command", "command": command, "timeout": TIMEOUT * 1000}]}
