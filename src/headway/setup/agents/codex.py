"""Codex CLI: `hooks.json`, or `config.toml` if that already contains hooks."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headway.setup.agent import SAMPLE_OUTPUT, Agent, home_of
from headway.setup.command import PROCESS, SOCKET, hook_command
from headway.setup.form import Form, is_ours
from headway.setup.jsonc import parse
from headway.setup.live.start import COMMAND, KEY, PROMPT, Start
from headway.setup.mcp_server import TomlServer, server_entry
from headway.setup.settings_file import SetupError, read_settings
from headway.setup.toml_hooks import TomlHooks
from headway.store.place import OVERRIDE

_SCRIPTED = f"""model = "gpt-5"
model_provider = "{KEY}"

[model_providers.{KEY}]
name = "{KEY}"
base_url = "{{url}}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
supports_websockets = false

[projects."{{project}}"]
trust_level = "trusted"
"""
_SNAKE = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Codex(Agent):
    """Codex warns if a folder has hooks in both files, so ours go to the file that the user already uses."""

    name = "codex"
    title = "Codex CLI"
    program = "codex"
    ways = (PROCESS, SOCKET)
    user_folder = ".codex"
    events = (
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "Stop", "SubagentStop",
        "SessionEnd",
    )  # fmt: skip
    next_step = (
        "Codex skips hooks that you have not trusted. Start `codex` once: it asks about new hooks (or type /hooks)."
    )

    def user_file(self) -> Path:
        """`~/.codex/hooks.json`, or `config.toml`."""
        return _where_hooks_are(home_of("CODEX_HOME", ".codex"))

    def project_file(self, folder: Path) -> Path:
        """The project's `.codex/hooks.json`, or `config.toml`."""
        return _where_hooks_are(folder / ".codex")

    def server_place(self, project: Path | None) -> tuple[Path, Form]:
        """`config.toml`. Codex passes on few environment variables to servers, unless they are named."""
        folder = home_of("CODEX_HOME", ".codex") if project is None else project / ".codex"
        entry = {**server_entry(self.name, shared=project is not None), "env_vars": [OVERRIDE, "XDG_STATE_HOME"]}
        return folder / "config.toml", TomlServer(entry)

    def form(self, path: Path, command: str) -> Form:
        """The form for the file's name."""
        if path.suffix == ".toml":
            return TomlHooks({event: self.entry(command) for event in self.events})
        return super().form(path, command)

    def start(self, plugin: Mapping[str, Any], *, trusted: bool) -> Start | None:
        """One prompt, without a terminal. Codex identifies trusted hooks by path, and the copies have another path."""
        trust = ("--dangerously-bypass-hook-trust",) if trusted else ()
        return Start(
            ("exec", "--skip-git-repo-check", "-s", "danger-full-access", *trust, PROMPT),
            tool="exec_command",
            call={"cmd": COMMAND},
            environment={"SCRIPTED_KEY": KEY},
            files={".codex/config.toml": _SCRIPTED},
            machine=("/etc/codex/config.toml", "/etc/codex/managed_config.toml", "/etc/codex/requirements.toml"),
        )

    def sample(self, number: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """Like Claude Code, with text as the result."""
        before, after = super().sample(number)
        return before, {**after, "tool_response": SAMPLE_OUTPUT}

    def obstacles(self, path: Path) -> list[tuple[str, str]]:
        """Codex records which hooks its user trusts, by file, event and position."""
        config = home_of("CODEX_HOME", ".codex") / "config.toml"
        for file in (config, path.with_name("config.toml")):
            features = _toml(file).get("features")
            if isinstance(features, dict) and features.get("hooks") is False:
                return [(f"features.hooks in {file} disables all hooks", "remove it there")]
        trusted = _state(config)
        unseen = [key for key in _keys(path) if "trusted_hash" not in trusted.get(key, {})]
        off = [key for key in _keys(path) if trusted.get(key, {}).get("enabled") is False]
        if unseen:
            text = f"{len(unseen)} of Headway's hooks there are not trusted yet, and Codex skips them silently"
            return [(text, "start `codex` and trust them when it asks, or type /hooks there")]
        return [(f"{len(off)} of Headway's hooks there are disabled", "type /hooks in Codex")] if off else []

    def places(self, project: Path | None) -> list[tuple[Path, Form]]:
        """Both files, because the user may have started to use the other one."""
        path, _ = self.place(project)
        command = hook_command(self.name, shared=project is not None)
        both = [path.with_name("hooks.json"), path.with_name("config.toml")]
        return [(file, self.form(file, command)) for file in both]


def _keys(path: Path) -> list[str]:
    """The keys under which Codex records whether our handlers in a file are trusted."""
    text = (read_settings(path) or b"").decode("utf-8-sig")
    hooks = tomllib.loads(text)["hooks"] if path.suffix == ".toml" else parse(text).data["hooks"]
    return [
        f"{path}:{_SNAKE.sub('_', event).lower()}:{group}:{place}"
        for event, groups in hooks.items()
        if event != "state"
        for group, entry in enumerate(groups)
        for place, handler in enumerate(_handlers(entry))
        if isinstance(handler, dict) and is_ours(handler.get("command"))
    ]


def _handlers(entry: Any) -> list[Any]:
    found = entry.get("hooks") if isinstance(entry, dict) else None
    return found if isinstance(found, list) else []


def _state(config: Path) -> dict[str, Any]:
    try:
        found = _toml(config)["hooks"]["state"]
    except (KeyError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def _where_hooks_are(folder: Path) -> Path:
    config, hooks = folder / "config.toml", folder / "hooks.json"
    if hooks.exists():
        return hooks
    inline = _toml(config).get("hooks", {})
    events = isinstance(inline, dict) and set(inline) - {"state"}  # under `state` Codex records what is trusted
    return config if events else hooks


def _toml(config: Path) -> dict[str, Any]:
    """The content of the file; empty if it cannot be read, which matters only if we have to change it."""
    try:
        return tomllib.loads((read_settings(config) or b"").decode("utf-8-sig"))
    except (SetupError, ValueError, RecursionError):
        return {}
