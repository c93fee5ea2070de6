"""Codex CLI: `hooks.json`, or `config.toml` where hooks stand there already."""

import tomllib
from pathlib import Path

from headway.setup.agent import Agent, home_of
from headway.setup.command import hook_command
from headway.setup.form import Form
from headway.setup.toml_hooks import TomlHooks


class Codex(Agent):
    """Codex warns when a folder has hooks in both files, so ours go where the user keeps theirs."""

    name = "codex"
    title = "Codex CLI"
    program = "codex"
    events = (
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PreCompact",
        "Stop",
        "SubagentStop",
        "SessionEnd",
    )
    next_step = (
        "Codex skips hooks that you have not trusted. Start `codex` once: it asks about new hooks (or type /hooks)."
    )

    def user_file(self) -> Path:
        """`~/.codex/hooks.json`, or `config.toml`."""
        return _where_hooks_are(home_of("CODEX_HOME", ".codex"))

    def project_file(self, folder: Path) -> Path:
        """The project's `.codex/hooks.json`, or `config.toml`."""
        return _where_hooks_are(folder / ".codex")

    def form(self, path: Path, command: str) -> Form:
        """The form that fits the file's name."""
        if path.suffix == ".toml":
            return TomlHooks({event: self.entry(command) for event in self.events})
        return super().form(path, command)

    def places(self, project: Path | None) -> list[tuple[Path, Form]]:
        """Both files: the user may have begun the other one since."""
        path, _ = self.place(project)
        command = hook_command(self.name, shared=project is not None)
        both = [path.with_name("hooks.json"), path.with_name("config.toml")]
        return [(file, self.form(file, command)) for file in both]


def _where_hooks_are(folder: Path) -> Path:
    config, hooks = folder / "config.toml", folder / "hooks.json"
    if hooks.exists():
        return hooks
    try:
        inline = tomllib.loads(config.read_text(encoding="utf-8-sig")).get("hooks", {})
    except (OSError, ValueError):  # what is wrong with config.toml is not our affair as long as we need not touch it
        return hooks
    events = isinstance(inline, dict) and set(inline) - {"state"}  # under `state` Codex keeps what was trusted
    return config if events else hooks
