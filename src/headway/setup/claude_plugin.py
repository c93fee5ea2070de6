"""Checks the installed plugin for Claude Code: whether it is ours, and which of its files may be run.

A plugin from another marketplace may have our plugin's name, or even its command lines. So the script that these run is
compared with ours too, and a trial runs only the files that were compared.
"""

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from headway.setup.agent import Plugin
from headway.setup.layers import Layer, effective, read_layers
from headway.setup.live.copies import is_ours
from headway.setup.settings_file import SetupError, read_settings

_SCRIPT = "hooks/headway.sh"
SCRIPT_DIGEST = "9c59e8140a2293297176d9ff3d4d8491f8f0dcd0f79c5155f7fffd61ce20c22c"
"""SHA-256 of the script in this version's plugin."""
LINES = (f'sh "${{CLAUDE_PLUGIN_ROOT}}/{_SCRIPT}"', f'sh "${{CLAUDE_PLUGIN_ROOT}}/{_SCRIPT}" start')
"""The command lines in our plugin's hooks.json."""
NEEDED = ("PreToolUse", "PostToolBatch")


def find_plugin(layers: Sequence[Layer], kept: Path) -> Plugin | None:
    """The plugin that the settings enable; `kept` is the file in which Claude Code records plugin folders."""
    named = {name: (layer.path, on) for layer in layers for name, on in _plugins(layer).items()}
    folders = _folders(kept)
    found = [
        _examined(name, path, folders.get(name, []))
        for name, (path, on) in named.items()
        if on is True and name.split("@")[0] == "headway"
    ]
    return min(found, key=lambda one: ("ok", "note", "problem").index(one.result), default=None)


def _plugins(layer: Layer) -> dict[str, Any]:
    found = layer.data.get("enabledPlugins")
    return found if isinstance(found, dict) else {}


def _folders(kept: Path) -> dict[str, list[Path]]:
    """The folders of installed plugins by name. Older versions stored one folder, newer ones a list."""
    plugins, _ = effective(read_layers([kept])[0], "plugins")
    found: dict[str, list[Path]] = {}
    for name, places in plugins.items() if isinstance(plugins, dict) else ():
        listed = places if isinstance(places, list) else [places]
        found[name] = [
            Path(str(one["installPath"])) for one in listed if isinstance(one, dict) and "installPath" in one
        ]
    return found


def _examined(name: str, settings: Path, folders: list[Path]) -> Plugin:
    again = f"claude plugin install {name}"
    folder = next((one for one in folders if one.is_dir()), None)
    if folder is None:
        where = f"its folder {folders[0]} does not exist" if folders else "it is not installed"
        return _wrong(name, settings, where, again)
    try:
        hooks = _hooks(folder / "hooks" / "hooks.json")
        script = read_settings(folder / _SCRIPT) or b""
    except SetupError as error:
        return _wrong(name, settings, str(error), f"{again}, if it is Headway's")
    if not all(is_ours(entry, LINES) for entries in hooks.values() for entry in entries):
        text = f"{settings} enables {name}, which is not Headway's plugin: {folder} has other hooks"
        return Plugin(name, settings, "problem", text, "headway install claude-code")
    if missing := [event for event in NEEDED if not hooks.get(event)]:
        text = f"the plugin in {folder} has no hook for {' and '.join(missing)}, so loops are not detected"
        return _wrong(name, settings, text, again)
    if sha256(script).hexdigest() != SCRIPT_DIGEST:
        text = f"{settings} enables {name}, but {folder / _SCRIPT} is not the script of this Headway's plugin"
        return Plugin(name, settings, "note", text, f"claude plugin update {name}; if it is not Headway's, remove it")
    files = {
        ".claude-plugin/plugin.json": {"name": "headway"},
        "hooks/hooks.json": {"hooks": hooks},
        _SCRIPT: script.decode(),
    }
    return Plugin(name, settings, "ok", f"{settings} enables {name}, a plugin with the hook", files=files)


def _wrong(name: str, settings: Path, text: str, fix: str) -> Plugin:
    return Plugin(name, settings, "problem", f"{settings} enables {name}, which does not work: {text}", fix)


def _hooks(path: Path) -> dict[str, list[Any]]:
    """The entries of a hooks.json, which Claude Code reads as strict JSON."""
    try:
        data = json.loads((read_settings(path) or b"").decode("utf-8"))
        hooks = data["hooks"]
        return {str(event): list(entries) for event, entries in hooks.items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise SetupError(f"{path}: no readable hooks found") from error
