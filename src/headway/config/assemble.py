"""Create the detectors of one monitor from settings.

A detector with contradicting settings is rejected. A detector that the user has not configured, and that needs more
steps than the session keeps (`session.window_size`), is disabled instead. `left_out` says why, and so does `headway
config`.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from headway.config.plugins import plugin_detectors
from headway.config.profiles import override_for
from headway.config.settings import Loop, Settings, SettingsError, check_amount, nearest, refuse_unknown
from headway.core.detector import Detector
from headway.core.sizes import Sizes
from headway.detectors import SCALES, built_in, is_built_in

LOOPS = ("exact_cycle", "doom_loop", "similar_calls", "known_answer", "failing_edit", "test_rerun")
"""The detectors that `loop_detection = false` disables."""


def detectors_for(
    settings: Settings,
    model: str | None = None,
    extra: Iterable[Detector | type[Detector]] = (),
    scales: tuple[str, ...] = SCALES,
    *,
    only: bool = False,
) -> list[Detector]:
    """All enabled detectors. An extra detector replaces a built-in one with the same id.

    With `only`, just the extra ones.
    """
    ours, own = _made(settings, model, extra, scales)
    for detector in own:
        _refuse_mistake(detector, settings)
    watching = [] if only else [detector for detector in ours if _has_room(detector, settings, model)]
    return [*watching, *own]


def left_out(settings: Settings, model: str | None = None) -> dict[str, str]:
    """Why some built-in detectors are disabled with these settings, by id."""
    ours, _ = _made(settings, model, (), SCALES)
    return {one.id: one.settings_error(settings.session) or "" for one in ours if not _has_room(one, settings, model)}


def _made(
    settings: Settings, model: str | None, extra: Iterable[Detector | type[Detector]], scales: tuple[str, ...]
) -> tuple[list[Detector], list[Detector]]:
    """The enabled detectors: built-in ones and plug-ins, and the user's own."""
    known = dict(built_in(scales))
    given = _fields(settings, model)
    fields = {id: given[id] for id in given if id in known or not is_built_in(id)}
    for id in fields.keys() - known.keys():
        plugins = plugin_detectors()
        if id in plugins:
            known[id] = plugins[id]
    own: dict[str, Detector] = {}
    for item in extra:
        detector = item if isinstance(item, Detector) else configured(item, given.get(item.id, {}))
        known.pop(detector.id, None)
        own[detector.id] = detector
    for id in fields.keys() - known.keys() - own.keys():
        raise SettingsError(f"unknown setting detectors.{id}{nearest(id, known)}")
    made = [configured(kind, fields.get(id, {})) for id, kind in known.items()]
    return [one for one in made if one.enabled], [one for one in own.values() if one.enabled]


def check_values(settings: Settings) -> None:
    """Check each value on its own: names and types of detector fields, tools, and model overrides."""
    known = {**built_in(), **(plugin_detectors() if settings.detectors.keys() - built_in().keys() else {})}
    refuse_unknown("setting detectors", settings.detectors, known)
    for id, given in settings.detectors.items():
        configured(known[id], given)
    settings.vocabulary()
    check_overrides(settings)


def check_overrides(settings: Settings) -> None:
    """Check all model overrides, even for models that are not in use."""
    for glob, override in settings.model_overrides.items():
        try:
            for id, given in override.detectors.items():
                kind = {**built_in(), **plugin_detectors()}.get(id)
                if kind is None:
                    raise SettingsError(f"unknown setting detectors.{id}{nearest(id, built_in())}")
                configured(kind, given)
        except SettingsError as error:
            raise SettingsError(f"model_overrides.{glob}: {error}") from error


def configured(kind: type[Detector], given: Mapping[str, Any]) -> Detector:
    """Create a detector with its settings; an error names the field."""
    if not given:
        return kind()
    refuse_unknown(f"setting detectors.{kind.id}", given, kind.setting_names())
    types = kind.field_types()
    values = {}
    for name, value in given.items():
        try:
            values[name] = msgspec.convert(value, types[name])
        except msgspec.ValidationError as error:
            raise SettingsError(f"detectors.{kind.id}.{name}: {error}") from error
        check_amount(f"detectors.{kind.id}.{name}", value)
    return kind(**values)


def _fields(settings: Settings, model: str | None) -> dict[str, dict[str, Any]]:
    override = override_for(model, settings)
    fields = {id: dict(given) for id, given in settings.detectors.items()}
    stuck = {"progress_threshold": settings.loop.progress_threshold, "stuck_after": settings.loop.stuck_after}
    fields["no_progress"] = {**stuck, **fields.get("no_progress", {})}
    fields["protected_files"] = {"paths": settings.loop.protect, **fields.get("protected_files", {})}
    fields["stalled"] = {"rounds": _patience(settings), **fields.get("stalled", {})}
    fields["uncertain"] = {"mixed_rounds": settings.loop.stuck_after, **fields.get("uncertain", {})}
    for id, given in override.detectors.items():
        fields[id] = {**given, **fields.get(id, {})}
    if override.loop_detection is False:
        for id in LOOPS:
            fields[id] = {"enabled": False, **fields.get(id, {})}
    return fields


def _patience(settings: Settings) -> int:
    """Rounds without improvement that make a stall: more if the user wants more and enough rounds are kept.

    Never fewer than the default: a round in which no number improved may still have made progress.
    """
    return max(1, min(max(settings.loop.stuck_after, Loop().stuck_after), settings.session.iterations - 1))


def own_detectors(given: Iterable[Detector | type[Detector]], only: bool) -> tuple[Detector | type[Detector], ...]:
    """The detectors that a user passed; an error names the fix."""
    items = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    for item in items:
        if not isinstance(item, Detector) and not (isinstance(item, type) and issubclass(item, Detector)):
            raise SettingsError(
                f"detectors must be a list of Detector objects or classes, and {item!r:.60} is neither. Pass a class "
                "that inherits from headway.Detector, or a built-in one: headway.detectors.step.doom_loop.DoomLoop"
            )
    if only and not items:
        raise SettingsError("only=True needs at least one detector: detectors=[...]")
    return items


def _refuse_mistake(detector: Detector, settings: Settings) -> None:
    reason = detector.settings_error(settings.session)
    if reason:
        raise SettingsError(f"detectors.{detector.id}: {reason}")


def _has_room(detector: Detector, settings: Settings, model: str | None) -> bool:
    """Whether the session keeps enough steps for a detector. Invalid settings of the detector itself are rejected."""
    if detector.settings_error(settings.session) is None:
        return True
    is_configured = detector.id in settings.detectors or detector.id in override_for(model, settings).detectors
    if is_configured or detector.settings_error(Sizes()):
        _refuse_mistake(detector, settings)
    return False
