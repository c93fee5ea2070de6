"""Claude Code: `hooks` in `settings.json`."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from headway.setup.agent import TIMEOUT, Agent, Plugin, home_of
from headway.setup.claude_plugin import find_plugin
from headway.setup.command import HTTP, PROCESS, SOCKET, TOKEN_NAME, hook_command, mode_in, via_of
from headway.setup.form import Form
from headway.setup.layers import Layer, effective, switched_off
from headway.setup.live.start import COMMAND, KEY, PROMPT, Start
from headway.setup.mcp_server import JsonServer, server_entry
from headway.setup.status_line import HooksAndStatusLine
from headway.setup.strict_json import why_ignored

_KINDS: Mapping[str, type] = {
    "model": str, "env": dict, "permissions": dict, "permissions.allow": list, "permissions.ask": list,
    "permissions.deny": list, "disableAllHooks": bool,
}  # fmt: skip
"""Settings that many people have, and their types: if one is wrong, the whole file is ignored."""


class ClaudeCode(Agent):
    """`PostToolBatch` reports the results of all calls, so no event is needed for each of them."""

    name = "claude-code"
    title = "Claude Code"
    program = "claude"
    oldest = "2.1.118"
    user_folder = ".claude"
    events = (
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolBatch", "PreCompact", "Stop", "SubagentStart",
        "SubagentStop", "SessionEnd", "Notification",
    )  # fmt: skip

    skips_broken_files = True
    ways = (PROCESS, SOCKET, HTTP)

    def user_file(self) -> Path:
        """`~/.claude/settings.json`."""
        return home_of("CLAUDE_CONFIG_DIR", ".claude") / "settings.json"

    def project_file(self, folder: Path) -> Path:
        """The project's `.claude/settings.json`."""
        return folder / ".claude" / "settings.json"

    def server_place(self, project: Path | None) -> tuple[Path, Form]:
        """The user's `~/.claude.json`, or the project's `.mcp.json`."""
        folder = os.environ.get("CLAUDE_CONFIG_DIR")
        user = (Path(folder).expanduser() if folder else Path.home()) / ".claude.json"
        entry = {"type": "stdio", **server_entry(self.name, shared=project is not None)}
        return user if project is None else project / ".mcp.json", JsonServer(entry)

    def form(self, path: Path, command: str) -> HooksAndStatusLine:
        """The hooks; `status_line` of it is the command of the status line, if one is wanted.

        Over HTTP, Claude Code sends every event except the start of a session, which stays a command.
        """
        entries = {event: self.entry(command) for event in self.events}
        if via_of(command) == HTTP:
            mode = mode_in(command)
            at_start = hook_command(self.name, options=f" --mode {mode}" if mode else "")
            entries["SessionStart"] = super().entry(at_start)
        return HooksAndStatusLine(entries, self.new_file)

    def entry(self, command: str) -> dict[str, Any]:
        """A group with one handler; `command` is an address if it is an HTTP hook."""
        if via_of(command) != HTTP:
            return super().entry(command)
        token = {"headers": {"Authorization": f"Bearer ${{{TOKEN_NAME}}}"}, "allowedEnvVars": [TOKEN_NAME]}
        return {"hooks": [{"type": "http", "url": command, **token, "timeout": TIMEOUT}]}

    def start(self, plugin: Mapping[str, Any], *, trusted: bool) -> Start | None:
        """One prompt, without a terminal."""
        return Start(
            ("-p", PROMPT, "--allowedTools", "Bash", *(("--plugin-dir", "{home}/plugin") if plugin else ())),
            tool="Bash",
            call={"command": COMMAND, "description": "look"},
            environment={
                "ANTHROPIC_BASE_URL": "{url}",
                "ANTHROPIC_API_KEY": KEY,
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                "DISABLE_AUTOUPDATER": "1",
            },
            files={f"plugin/{name}": content for name, content in plugin.items()},
            machine=(str(_managed_folder() / "managed-settings.json"), str(_managed_folder() / "managed-settings.d")),
        )

    def why_ignored(self, text: str) -> str:
        """Claude Code reads strict JSON and checks the types of its settings."""
        return why_ignored(text, _KINDS)

    def layers(self, project: Path) -> list[Path]:
        """The user's settings, the project's, the user's own for the project, and those of an administrator."""
        here = project / ".claude"
        managed = _managed_folder() / "managed-settings.json"
        more = sorted(managed.with_suffix(".d").glob("*.json"))
        return [self.user_file(), here / "settings.json", here / "settings.local.json", managed, *more]

    def switches(self, layers: Sequence[Layer]) -> list[tuple[str, str]]:
        """All hooks can be disabled, or all except an administrator's."""
        only_managed, path = effective(layers, "allowManagedHooksOnly")
        found = [(f"{path}: allowManagedHooksOnly disables your hooks", "ask your administrator")]
        is_managed = only_managed is True and path is not None and path.is_relative_to(_managed_folder())
        return switched_off(layers, "disableAllHooks", True) + found * is_managed

    def plugin(self, layers: Sequence[Layer]) -> Plugin | None:
        """`enabledPlugins` names plugins as `headway@MARKETPLACE`; `installed_plugins.json` has their folders."""
        return find_plugin(layers, self.user_file().with_name("plugins") / "installed_plugins.json")


def _managed_folder() -> Path:
    return Path("/Library/Application Support/ClaudeCode" if sys.platform == "darwin" else "/etc/claude-code")
