"""OpenCode: a small plugin that passes its events to the hook."""

from collections.abc import Mapping
from typing import Any

from headway.setup.live.start import COMMAND, KEY, PROMPT, Start
from headway.setup.plugin import PluginAgent


class OpenCode(PluginAgent):
    """OpenCode loads every file in its plugin folders."""

    name = "opencode"
    title = "OpenCode"
    program = "opencode"
    home = ("XDG_CONFIG_HOME", ".config")
    user_plugins = "opencode/plugins"
    project_plugins = ".opencode/plugins"
    script = "opencode.js"
    before = "tool.execute.before"
    after = "tool.execute.after"

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
