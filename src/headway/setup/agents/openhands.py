"""OpenHands: `hooks.json`, in the form of Claude Code."""

import os
from pathlib import Path
from typing import Any

from headway.setup.agent import SAMPLE, SAMPLE_OUTPUT, Agent


class OpenHands(Agent):
    """It reads the project's file, and the user's only where a project has none."""

    name = "openhands"
    title = "OpenHands"
    program = "openhands"
    events = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd")
    next_step = "OpenHands does not read this file in projects that have a .openhands/hooks.json: use --project there."

    def user_file(self) -> Path:
        """`~/.openhands/hooks.json`."""
        return Path.home() / ".openhands" / "hooks.json"

    def project_file(self, folder: Path) -> Path:
        """The project's `.openhands/hooks.json`."""
        return folder / ".openhands" / "hooks.json"

    def sample(self, number: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """Events have a type, calls no ids."""
        call = {**SAMPLE, "session_id": "rehearsal", "working_dir": os.sep}
        after = {**call, "event_type": "PostToolUse", "tool_response": {"output": SAMPLE_OUTPUT}}
        return {**call, "event_type": "PreToolUse"}, after
