"""Every setting with its effective value and its source."""

from typing import Any, NamedTuple

import msgspec

from headway.config.assemble import left_out, watches_for
from headway.config.find import Found, dotted
from headway.config.profiles import packaged
from headway.config.settings import Settings
from headway.detectors import built_in, plugin_detectors
from headway.rolling.secrets import MASK


class Line(NamedTuple):
    """One setting."""

    key: str
    value: Any
    origin: str
    is_changed: bool


_TAKEN_FROM = {
    "detectors.no_progress.progress_threshold": "loop.progress_threshold",
    "detectors.no_progress.stuck_after": "loop.stuck_after",
    "detectors.stalled.rounds": "loop.stuck_after",
    "detectors.uncertain.mixed_rounds": "loop.stuck_after",
}
"""Settings that default to another setting."""


_ADDRESSES = ("notify.webhook", "notify.slack", "notify.ntfy")
ONLY_WITH_A_TASK = "default; advice only, with a task type"


def setting_lines(found: Found) -> list[Line]:
    """All settings, by key: detectors' fields (of plug-ins as well), profiles, limits, sizes and the ladder."""
    defaults = _effective(Settings())
    origins = found.origins | {
        f"detectors.{id}.enabled": f"disabled: {why}" for id, why in left_out(found.settings).items()
    }
    return [
        Line(key, _shown(key, value), _origin(key, origins), key not in defaults or value != defaults[key])
        for key, value in sorted(_effective(found.settings).items())
    ]


def _shown(key: str, value: Any) -> Any:
    """A value as it may be shown: for a notification address, only the server."""
    if key not in _ADDRESSES or not isinstance(value, str):
        return value
    scheme, _, rest = value.partition("://")
    return f"{scheme}://{rest.partition('/')[0].rpartition('@')[2]}/{MASK}"


def _origin(key: str, origins: dict[str, str]) -> str:
    default = ONLY_WITH_A_TASK if key in _flat({"global": _plain(packaged())["global"]}) else "default"
    return origins.get(key) or origins.get(_TAKEN_FROM.get(key, ""), default)


def _effective(settings: Settings) -> dict[str, Any]:
    given = {**_flat(_plain(settings)), **_detector_fields(settings)}
    return {**_unset(settings), **_flat(_profiles()), **given}


def _unset(settings: Settings) -> dict[str, Any]:
    """The default of each setting; None for no limit."""
    parts = {"session": settings.session, "policy": settings.policy, "global": settings.global_}
    parts |= {"loop": settings.loop, "notify": settings.notify}
    return {
        f"{name}.{field}": getattr(type(part)(), field)
        for name, part in parts.items()
        for field in part.__struct_fields__
    }


def _profiles() -> dict[str, Any]:
    plain = _plain(packaged())
    return {name: plain[name] for name in ("task_types", "model_overrides", "global")}


def _plain(settings: Settings) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(settings)
    return plain


def _flat(tree: dict[str, Any], above: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            flat.update(_flat(value, dotted(above, key)))
        elif value is not None:
            flat[dotted(above, key)] = value
    return flat


def _detector_fields(settings: Settings) -> dict[str, Any]:
    shown = msgspec.structs.replace(settings, detectors={id: _visible(f) for id, f in settings.detectors.items()})
    watching = [watch.make() for watch in watches_for(shown, extra=plugin_detectors().values())]
    lacking = [built_in()[id](enabled=False) for id in left_out(settings)]
    return {
        f"detectors.{detector.id}.{name}": settings.detectors.get(detector.id, {}).get(name, getattr(detector, name))
        for detector in (*watching, *lacking)
        for name in detector.setting_names()
    }


def _visible(fields: dict[str, Any]) -> dict[str, Any]:
    """Include disabled detectors."""
    return {name: value for name, value in fields.items() if name != "enabled"}
