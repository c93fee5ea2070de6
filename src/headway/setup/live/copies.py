"""Copies the settings for a trial: our hooks as installed, and settings that disable hooks.

Nothing else is copied. Other hooks would run, and a key, another model or a proxy could lead to the real service.
"""

import json
import re
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

from headway.setup.agent import Agent
from headway.setup.installed import Installed
from headway.setup.jsonc import NotJsonError, parse
from headway.setup.own_file import OwnFile
from headway.setup.settings_file import SetupError, read_text
from headway.setup.toml_hooks import TomlHooks

_SWITCHES = ("disableAllHooks", "hooksConfig", "version")
_LINES = ("command", "bash", "powershell")
_HANDLER = {*_LINES, "type", "name", "timeout", "timeoutSec"}
_GROUP = {"hooks", "matcher", "sequential"}
"""Allowed keys of an entry. `env` or `cwd` could change what our command line does."""


def copy_settings(seen: Installed, needed: Mapping[str, Any], home: Path, project: Path, here: Path) -> None:
    """Write what an agent needs, and our part of its settings, to a temporary home and project."""
    files: dict[Path, Any] = {home / name: content for name, content in needed.items()}
    for path in dict.fromkeys([*seen.agent.layers(here), *seen.places]):
        target = _target(seen.agent, path, home, project, here)
        if target is None:
            continue
        copied = "{" if path in seen.ignored else _of_ours(path, seen.agent.own_lines(path))
        if isinstance(copied, dict) and isinstance(files.get(target, {}), dict):
            copied = {**files.get(target, {}), **copied}
        if copied:
            files[target] = copied if target not in files or isinstance(copied, dict) else f"{files[target]}\n{copied}"
    for target, content in files.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content if isinstance(content, str) else json.dumps(content, indent=2), encoding="utf-8")


def _target(agent: Agent, path: Path, home: Path, project: Path, here: Path) -> Path | None:
    """The path of the copy of a user's or project's file; None for system files."""
    if path.is_relative_to(here) and path not in dict(agent.places(None)):
        return project / path.relative_to(here)
    own = {agent.user_file(), *dict(agent.places(None))}
    return home / agent.user_folder / path.name if path in own else None


def _of_ours(path: Path, lines: Container[str]) -> Any:
    """Our part of a file, as data or text. `lines` are the command lines that this Headway writes there."""
    text = read_text(path)
    if path.suffix == ".js":
        return text if all(line in lines for line in OwnFile(text, bool).mentions(text)) else ""
    if path.suffix == ".toml":
        block = re.search(rf"{re.escape(TomlHooks.begin)}.*?{re.escape(TomlHooks.end)}", text, re.DOTALL)
        return block.group() if block and all(line in lines for line in TomlHooks({}).mentions(block.group())) else ""
    try:
        data = parse(text).data if text.strip() else {}
    except NotJsonError:
        return "{"  # as broken for the program, and nothing else of it: others may read more in it than we do
    if not isinstance(data, dict):
        raise SetupError(f"{path}: line 1: expected an object, {{…}}, as the whole file")
    kept = {name: data[name] for name in _SWITCHES if name in data}
    hooks = data.get("hooks")
    events = (
        {name: value for name, value in hooks.items() if isinstance(value, list)} if isinstance(hooks, dict) else {}
    )
    ours = {event: [entry for entry in entries if is_ours(entry, lines)] for event, entries in events.items()}
    return kept | ({"hooks": ours} if ours else {})


def is_ours(entry: Any, lines: Container[str]) -> bool:
    """Whether an entry contains only command lines that this Headway writes, and nothing else that has an effect."""
    handlers = entry["hooks"] if isinstance(entry, dict) and entry.keys() <= _GROUP and "hooks" in entry else [entry]
    return isinstance(handlers, list) and bool(handlers) and all(_is_our_handler(one, lines) for one in handlers)


def _is_our_handler(handler: Any, lines: Container[str]) -> bool:
    named = [handler[name] for name in _LINES if name in handler] if isinstance(handler, dict) else []
    return bool(named) and handler.keys() <= _HANDLER and all(line in lines for line in named)
