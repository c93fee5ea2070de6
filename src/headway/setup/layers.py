"""Merges all settings files of a program as the program does: the value of a setting, and which file sets it."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from headway.setup.jsonc import NotJsonError, parse
from headway.setup.settings_file import SetupError, read_settings


class Layer(NamedTuple):
    """One settings file that could be read."""

    path: Path
    data: dict[str, Any]


def read_layers(paths: Iterable[Path]) -> tuple[list[Layer], list[SetupError]]:
    """The files that exist, lowest priority first, and the errors of those that cannot be read."""
    layers: list[Layer] = []
    broken: list[SetupError] = []
    for path in dict.fromkeys(paths):
        try:
            layers += [Layer(path, data) for data in [_read(path)] if data is not None]
        except SetupError as error:
            broken.append(error)
    return layers, broken


def effective(layers: Iterable[Layer], setting: str) -> tuple[Any, Path | None]:
    """The value of a setting by its dotted name, and the file that sets it: the one with the highest priority."""
    found: tuple[Any, Path | None] = (None, None)
    for path, value in _values(layers, setting):
        found = value, path
    return found


def listed(layers: Iterable[Layer], setting: str, item: object) -> Path | None:
    """The file whose list contains an item, for settings whose lists the program joins."""
    lists = _values(layers, setting)
    return next((path for path, value in lists if isinstance(value, list) and item in value), None)


def switched_off(layers: Iterable[Layer], setting: str, value: bool) -> list[tuple[str, str]]:
    """Whether a setting disables all hooks, and the fix."""
    found, path = effective(layers, setting)
    return [(f"{path}: {setting} disables all hooks", f"remove {setting} from the file")] if found is value else []


def _values(layers: Iterable[Layer], setting: str) -> Iterator[tuple[Path, Any]]:
    for layer in layers:
        found: Any = layer.data
        for name in setting.split("."):
            found = found.get(name) if isinstance(found, dict) else None
        if found is not None:
            yield layer.path, found


def _read(path: Path) -> dict[str, Any] | None:
    content = read_settings(path)
    try:
        text = (content or b"").decode("utf-8-sig")
        data = parse(text).data if text.strip() else None
    except UnicodeDecodeError as error:
        raise SetupError(f"{path}: it is not UTF-8 text; save it as UTF-8") from error
    except NotJsonError as error:
        raise SetupError(f"{path}: {error}; fix it, or no hook in it runs") from error
    if data is not None and not isinstance(data, dict):
        raise SetupError(f"{path}: line 1: expected an object, {{…}}, as the whole file")
    return data
