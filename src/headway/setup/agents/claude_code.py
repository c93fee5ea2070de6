"""Claude Code: `hooks` in `settings.json`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from headway.setup.agent import Agent, home_of
from headway.setup.layers import Layer, effective, switched_off


class ClaudeCode(Agent):
    """Failed edits and unknown tools are only told in `PostToolBatch`."""

    name = "claude-code"
    title = "Claude Code"
    program = "claude"
    events = (
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "PostToolBatch",
        "PreCompact",
        "Stop",
        "SubagentStop",
        "SessionEnd",
    )

    def user_file(self) -> Path:
        """`~/.claude/settings.json`."""
        return home_of("CLAUDE_CONFIG_DIR", ".claude") / "settings.json"

    def project_file(self, folder: Path) -> Path:
        """The project's `.claude/settings.json`."""
        return folder / ".claude" / "settings.json"

    def layers(self, project: Path) -> list[Path]:
        """The user's settings, the project's, the user's own for the project, and those of an administrator."""
        here = project / ".claude"
        managed = _managed_folder() / "managed-settings.json"
        return [self.user_file(), here / "settings.json", here / "settings.local.json", managed]

    def switches(self, layers: Sequence[Layer]) -> list[tuple[str, str]]:
        """All hooks can be switched off at once, or all but an administrator's."""
        only_managed, path = effective(layers, "allowManagedHooksOnly")
        found = [(f"{path}: allowManagedHooksOnly switches your hooks off", "ask your administrator")]
        is_managed = only_managed is True and path is not None and path.parent == _managed_folder()
        return switched_off(layers, "disableAllHooks", True) + found * is_managed

    def plugin(self, layers: Sequence[Layer]) -> Path | None:
        """`enabledPlugins` names plugins as `headway@MARKETPLACE`."""
        named = {name: (layer.path, on) for layer in layers for name, on in _plugins(layer).items()}
        ours = [found for name, found in named.items() if name.split("@")[0] == "headway"]
        return next((path for path, on in ours if on is True), None)


def _plugins(layer: Layer) -> dict[str, Any]:
    found = layer.data.get("enabledPlugins")
    return found if isinstance(found, dict) else {}


def _managed_folder() -> Path:
    return Path("/Library/Application Support/ClaudeCode" if sys.platform == "darwin" else "/etc/claude-code")
