"""Where settings come from: packaged defaults < user file < project file < environment < command line.

The user file is `headway/config.toml` in the user's configuration folder. The project file is the first of
`headway.toml`, `headway.yaml`, `headway.yml` or `pyproject.toml` (table `tool.headway`) in this folder or above. In the
environment `HEADWAY_DETECTORS__EXACT_CYCLE__LIMIT=5` sets `detectors.exact_cycle.limit`, and so does
`--set detectors.exact_cycle.limit=5` on the command line. Quote a name that contains
a dot: `--set 'model_overrides."gpt-4.1*".loop_detection=false'`.
"""

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from headway.config.assemble import check_values, watches_for
from headway.config.fingerprint import PREFIX, PROJECT_FILES, user_folder
from headway.config.settings import Settings, SettingsError

_NAME = r"""(?:"[^"]*"|'[^']*'|[^."'=]+)"""
_TOO_DEEP = "tables and lists are nested too deeply"
_ITEM = re.compile(rf"({_NAME}(?:\.{_NAME})*)=(.*)", re.DOTALL)

IN_CODE = "the program"
"""Source of the settings that a watched program passes in its code."""
_OWN = ("notify", "forward")
"""Settings that only the user's own layers may have, because they send data away or run something."""


class Found(NamedTuple):
    """Effective settings, and the source of each dotted key."""

    settings: Settings
    origins: dict[str, str]


def find_settings(
    overrides: Iterable[str] = (),
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    given: Mapping[str, Any] | None = None,
) -> Found:
    """Merge all layers. Each is checked on its own, so that an error names its source.

    `given` are the settings that a watched program passes in its code; they outrank all others.
    """
    environment = os.environ if environment is None else environment
    files = _files(folder or Path.cwd(), environment)
    layers = [*files, _environment(environment), _command_line(overrides), (IN_CODE, dict(given or {}))]
    own = str(_user_file(environment)), "environment", "command line"
    merged: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for place, layer in layers:
        check_layer(place, layer, is_own=place in own)
        if layer:
            from headway.config.renames import with_current_ids  # most have no settings

            _merge(merged, with_current_ids(layer), place, origins, "")
    settings = Settings.of(merged)
    watches_for(settings)  # valid values may still contradict each other
    return Found(settings, origins)


def check_layer(place: str, layer: Any, *, is_own: bool = False) -> None:
    """Reject a mistake in one layer; the error names its source."""
    try:
        for name in () if is_own or not isinstance(layer, Mapping) else _OWN:
            if name in layer:
                where = "a program" if place == IN_CODE else "a project's file"
                raise SettingsError(f"{name} is not allowed in {where}; set it in your own, {_user_file(os.environ)}")
        check_values(Settings.of(layer))
    except SettingsError as error:
        raise SettingsError(f"{place}: {error}") from error
    except RecursionError as error:
        raise SettingsError(f"{place}: {_TOO_DEEP}") from error


def _files(folder: Path, environment: Mapping[str, str]) -> list[tuple[str, dict[str, Any]]]:
    user = _user_file(environment)
    candidates = [user] if user.is_file() else []
    candidates += [path for path in [_project_file(folder)] if path is not None]
    return [(str(path), _read(path)) for path in candidates]


def _user_file(environment: Mapping[str, str]) -> Path:
    return Path(user_folder(environment)) / "headway" / "config.toml"


def _project_file(folder: Path) -> Path | None:
    for place in (folder, *folder.parents):
        for name in PROJECT_FILES:
            path = place / name
            if path.is_file() and (name != "pyproject.toml" or "headway" in _table(_toml(path), "tool", path)):
                return path
    return None


def _read(path: Path) -> dict[str, Any]:
    if path.suffix in (".yaml", ".yml"):
        return _yaml(path)
    data = _toml(path)
    return _table(_table(data, "tool", path), "headway", path) if path.name == "pyproject.toml" else data


def _table(data: Mapping[str, Any], name: str, path: Path) -> dict[str, Any]:
    """A table of a file; empty if it does not exist."""
    found = data.get(name, {})
    if not isinstance(found, dict):
        raise SettingsError(f"{path}: {name}: expected a table, not {type(found).__name__}")
    return found


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except ValueError as error:  # a number with thousands of digits raises a plain ValueError
        raise SettingsError(f"{path}: not valid TOML: {error}") from error
    except RecursionError as error:
        raise SettingsError(f"{path}: {_TOO_DEEP}") from error


def _yaml(path: Path) -> dict[str, Any]:
    try:
        import yaml
    except ImportError:
        raise SettingsError(f"{path}: reading YAML needs PyYAML: pip install 'headway-agents[yaml]'") from None
    try:
        data = yaml.safe_load(path.read_text("utf-8"))
    except (yaml.YAMLError, ValueError) as error:
        raise SettingsError(f"{path}: not valid YAML: {error}") from error
    except RecursionError as error:
        raise SettingsError(f"{path}: {_TOO_DEEP}") from error
    if not isinstance(data, dict | None):
        raise SettingsError(f"{path}: expected a table at the top level, not {type(data).__name__}")
    return data or {}


def _environment(environment: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    layer: dict[str, Any] = {}
    for name, value in environment.items():
        if name.startswith(PREFIX) and "__" in name:
            _put(layer, name.removeprefix(PREFIX).lower().split("__"), value)
    return "environment", layer


def _command_line(overrides: Iterable[str]) -> tuple[str, dict[str, Any]]:
    layer: dict[str, Any] = {}
    for item in overrides:
        if "=" not in item:
            raise SettingsError(f"command line: {item!r} has no value; expected KEY=VALUE")
        fitting = _ITEM.fullmatch(item.strip())
        if fitting is None:
            raise SettingsError(f'command line: {item!r} is not KEY=VALUE, with KEY like a.b or a."name with . or =".c')
        _put(layer, [name.strip().strip("\"'") for name in re.findall(_NAME, fitting[1])], fitting[2])
    return "command line", layer


def dotted(above: str, name: str) -> str:
    """The dotted key of a setting inside a table, as `--set` expects it."""
    quoted = f'"{name}"' if set(name) & set(".='") else name
    return f"{above}.{quoted}" if above else quoted


def _put(layer: dict[str, Any], keys: list[str], text: str) -> None:
    """Set a nested value, parsed as JSON or as a number such as .5 if possible, and as text otherwise."""
    for key in keys[:-1]:
        layer = layer.setdefault(key, {})
        if not isinstance(layer, dict):
            raise SettingsError(f"{'.'.join(keys)}: {key} is a value, not a table")
    try:
        layer[keys[-1]] = msgspec.json.decode(text)
    except msgspec.DecodeError:
        layer[keys[-1]] = _number_or_text(text)


def _number_or_text(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _merge(merged: dict[str, Any], layer: Mapping[str, Any], place: str, origins: dict[str, str], above: str) -> None:
    for key, value in layer.items():
        if isinstance(value, Mapping) and isinstance(merged.setdefault(key, {}), dict):
            _merge(merged[key], value, place, origins, dotted(above, key))
        else:
            merged[key] = value
            origins[dotted(above, key)] = place
