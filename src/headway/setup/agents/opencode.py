"""OpenCode: a small plugin that hands its events to the hook."""

import json
import os
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from headway.setup.agent import SAMPLE, SAMPLE_OUTPUT, Agent
from headway.setup.command import GUARD
from headway.setup.form import Form
from headway.setup.live.start import COMMAND, KEY, PROMPT, Start
from headway.setup.own_file import OwnFile


class OpenCode(Agent):
    """The plugin is one JavaScript file; OpenCode loads every file in its folder of plugins."""

    name = "opencode"
    title = "OpenCode"
    program = "opencode"
    user_folder = ".config/opencode/plugins"
    events = ()

    def user_file(self) -> Path:
        """`~/.config/opencode/plugins/headway.js`."""
        config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
        return Path(config) / "opencode" / "plugins" / "headway.js"

    def project_file(self, folder: Path) -> Path:
        """The project's `.opencode/plugins/headway.js`."""
        return folder / ".opencode" / "plugins" / "headway.js"

    def start(self, plugin: Mapping[str, Any], *, trusted: bool) -> Start | None:
        """One prompt, without a terminal."""
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": KEY,
            "options": {"baseURL": "{url}/v1", "apiKey": KEY},
            "models": {KEY: {"name": KEY, "tool_call": True}},
        }
        return Start(
            ("run", PROMPT),
            tool="bash",
            call={"command": COMMAND, "description": "look"},
            environment={"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1"},
            files={".config/opencode/opencode.json": {"model": f"{KEY}/{KEY}", "provider": {KEY: provider}}},
        )

    def sample(self, number: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """In the plugin's format."""
        call = {"sessionID": "rehearsal", "directory": os.sep, "callID": f"call-{number}", "tool": "bash"}
        call["args"] = SAMPLE["tool_input"]
        after = {**call, "opencode_event": "tool.execute.after", "output": {"output": SAMPLE_OUTPUT}}
        return {**call, "opencode_event": "tool.execute.before"}, after

    def form(self, path: Path, command: str) -> Form:
        """The packaged plugin, with the command line in it."""
        plugin = files("headway.setup").joinpath("opencode.js").read_text(encoding="utf-8")
        line = json.dumps(command.removesuffix(GUARD), ensure_ascii=False)
        head = plugin.splitlines()[:2]  # who wrote the file, in every version
        return OwnFile(
            plugin.replace('"headway hook --agent opencode"', line), lambda text: text.splitlines()[:2] == head
        )
