"""Gemini CLI: `hooks` in `settings.json`, with its own event names."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from headway.setup.agent import SAMPLE, SAMPLE_OUTPUT, TIMEOUT, Agent, at_second, home_of, system_layers
from headway.setup.command import PROCESS, SOCKET
from headway.setup.layers import Layer, listed, switched_off
from headway.setup.live.start import COMMAND, KEY, PROMPT, Start

_HOOK = "headway"


class Gemini(Agent):
    """Timeouts are in milliseconds."""

    name = "gemini"
    title = "Gemini CLI"
    program = "gemini"
    ways = (PROCESS, SOCKET)
    user_folder = ".gemini"
    events = ("SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd")

    def user_file(self) -> Path:
        """`~/.gemini/settings.json`."""
        return home_of("GEMINI_CLI_HOME", "") / ".gemini" / "settings.json"

    def project_file(self, folder: Path) -> Path:
        """The project's `.gemini/settings.json`."""
        return folder / ".gemini" / "settings.json"

    def layers(self, project: Path) -> list[Path]:
        """The system defaults, the user's settings, the project's settings, and the system overrides."""
        return system_layers("GEMINI_CLI", "gemini-cli", self.user_file(), self.project_file(project))

    def switches(self, layers: Sequence[Layer]) -> list[tuple[str, str]]:
        """All hooks can be disabled at once, or ours by its name in any of the files."""
        path = listed(layers, "hooksConfig.disabled", _HOOK)
        ours = [(f'{path}: hooksConfig.disabled has "{_HOOK}"', f"remove it there, or type /hooks enable {_HOOK}")]
        return switched_off(layers, "hooksConfig.enabled", False) + (ours if path else [])

    def start(self, plugin: Mapping[str, Any], *, trusted: bool) -> Start | None:
        """One prompt, without a terminal."""
        return Start(
            ("-p", PROMPT, "--yolo"),
            tool="run_shell_command",
            call={"command": COMMAND},
            environment={
                "GOOGLE_GEMINI_BASE_URL": "{url}",
                "GEMINI_API_KEY": KEY,
                "GEMINI_CLI_TRUST_WORKSPACE": "true",
                "GEMINI_CLI_SYSTEM_SETTINGS_PATH": "{home}/none.json",
                "GEMINI_CLI_SYSTEM_DEFAULTS_PATH": "{home}/none.json",
            },
            files={
                ".gemini/settings.json": {
                    "security": {"auth": {"selectedType": "gemini-api-key"}},
                    "privacy": {"usageStatisticsEnabled": False},
                    "general": {"disableAutoUpdate": True},
                }
            },
        )

    def sample(self, number: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """Calls have no ids, but every event has a time."""
        call = {**SAMPLE, "session_id": "rehearsal", "cwd": os.sep}
        before = {**call, "hook_event_name": "BeforeTool", "timestamp": at_second(2 * number)}
        result = {"tool_response": {"llmContent": SAMPLE_OUTPUT}, "timestamp": at_second(2 * number + 1)}
        return before, {**call, "hook_event_name": "AfterTool", **result}

    def entry(self, command: str) -> dict[str, Any]:
        """A group with one handler, which has a name."""
        return {"hooks": [{"name": _HOOK, "type": "command", "command": command, "timeout": TIMEOUT * 1000}]}
