"""Qwen Code: `hooks` in `settings.json`, with Claude Code's event names."""

from pathlib import Path
from typing import Any

from headway.setup.agent import SAMPLE_OUTPUT, TIMEOUT, Agent, switched_off


class Qwen(Agent):
    """Timeouts are milliseconds here."""

    name = "qwen"
    title = "Qwen Code"
    program = "qwen"
    events = (
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "PreCompact",
        "Stop",
        "SubagentStop",
        "SessionEnd",
    )

    def user_file(self) -> Path:
        """`~/.qwen/settings.json`."""
        return Path.home() / ".qwen" / "settings.json"

    def project_file(self, folder: Path) -> Path:
        """The project's `.qwen/settings.json`."""
        return folder / ".qwen" / "settings.json"

    def obstacles(self, path: Path) -> list[tuple[str, str]]:
        """All hooks can be switched off at once."""
        return switched_off(path, "disableAllHooks", True)

    def sample(self, number: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """As Claude Code, with another result."""
        before, after = super().sample(number)
        return before, {**after, "tool_response": {"llmContent": SAMPLE_OUTPUT}}

    def entry(self, command: str) -> dict[str, Any]:
        """A group with one handler, which has a name."""
        return {"hooks": [{"name": "headway", "type": "command", "command": command, "timeout": TIMEOUT * 1000}]}
