"""Qwen Code: `hooks` in `settings.json`, with Claude Code's event names."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from headway.setup.agent import SAMPLE_OUTPUT, TIMEOUT, Agent, home_of, system_layers
from headway.setup.command import PROCESS, SOCKET
from headway.setup.layers import Layer, switched_off
from headway.setup.live.start import COMMAND, KEY, PROMPT, Start


class Qwen(Agent):
    """Timeouts are in milliseconds."""

    name = "qwen"
    title = "Qwen Code"
    program = "qwen"
    ways = (PROCESS, SOCKET)
    user_folder = ".qwen"
    events = (
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PreCompact", "Stop",
        "SubagentStop", "SessionEnd",
    )  # fmt: skip

    def user_file(self) -> Path:
        """`~/.qwen/settings.json`."""
        return home_of("QWEN_HOME", ".qwen") / "settings.json"

    def project_file(self, folder: Path) -> Path:
        """The project's `.qwen/settings.json`."""
        return folder / ".qwen" / "settings.json"

    def layers(self, project: Path) -> list[Path]:
        """The system defaults, the user's settings, the project's settings, and the system overrides."""
        return system_layers("QWEN_CODE", "qwen-code", self.user_file(), self.project_file(project))

    def switches(self, layers: Sequence[Layer]) -> list[tuple[str, str]]:
        """All hooks can be disabled at once."""
        return switched_off(layers, "disableAllHooks", True)

    def start(self, plugin: Mapping[str, Any], *, trusted: bool) -> Start | None:
        """One prompt, without a terminal."""
        return Start(
            ("-p", PROMPT, "--yolo"),
            tool="run_shell_command",
            call={"command": COMMAND, "is_background": False},
            environment={
                "OPENAI_BASE_URL": "{url}/v1",
                "OPENAI_API_KEY": KEY,
                "OPENAI_MODEL": KEY,
                "QWEN_CODE_SYSTEM_SETTINGS_PATH": "{home}/none.json",
                "QWEN_CODE_SYSTEM_DEFAULTS_PATH": "{home}/none.json",
            },
            files={
                ".qwen/settings.json": {
                    "security": {"auth": {"selectedType": "openai"}},
                    "memory": {"enableManagedAutoMemory": False, "enableManagedAutoDream": False},
                    "privacy": {"usageStatisticsEnabled": False},
                    "general": {"disableAutoUpdate": True},
                }
            },
        )

    def sample(self, number: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """Like Claude Code, with another result."""
        before, after = super().sample(number)
        return before, {**after, "tool_response": {"llmContent": SAMPLE_OUTPUT}}

    def entry(self, command: str) -> dict[str, Any]:
        """A group with one handler, which has a name."""
        return {"hooks": [{"name": "headway", "type": "command", "command": command, "timeout": TIMEOUT * 1000}]}
