"""Create the detectors of one monitor from settings.

A detector with contradicting settings is rejected. A detector that the user has not configured, and that needs more
steps than the session keeps (`session.window_size`), is disabled instead. `left_out` says why, and so does `headway
config`.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from headway.config.profiles import override_for
from headway.config.settings import Loop, Settings, SettingsError, check_amount, refuse_unknown
from headway.core.detector import Detector
from headway.core.limits import Sizes
from headway.core.watch import Watch
from headway.detectors import load, looks_at, plugin_detectors, scales_by_id

LOOPS = ("exact_cycle", "doom_loop", "similar_calls", "known_answer", "failing_edit", "test_rerun")
"""The detectors that `loop_detection = false` disables."""


def watches_for(
    settings: Settings,
    model: str | None = None,
    extra: Iterable[Detector | type[Detector]] = (),
    *,
    only: bool = False,
) -> Sequence[Watch]:
    """All enabled detectors. An extra detector replaces a built-in one with the same id.

    With `only`, just the extra ones. Built-in ones are created when something happens that they look at,
    unless they are configured: then a mistake is reported at once.
    """
    if not (model or extra or only) and settings is Settings.of(None):
        return _usual()
    return _watches(settings, model, extra, only)


@cache
def _usual() -> Sequence[Watch]:
    """The detectors of most sessions: those of the defaults."""
    return _watches(Settings.of(None), None, (), only=False)


def _watches(
    settings: Settings, model: str | None, extra: Iterable[Detector | type[Detector]], only: bool
) -> Sequence[Watch]:
    given = _fields(settings, model)
    known = _known(given)
    own: dict[str, Detector] = {}
    for item in extra:
        detector = item if isinstance(item, Detector) else configured(item, given.get(item.id, {}))
        own[detector.id] = detector
        _refuse_mistake(detector, settings)
    refuse_unknown("detectors", given, {**known, **own})
    chosen = _chosen(settings, model)
    ours = [_watch(id, kind, given.get(id, {}), settings, chosen) for id, kind in known.items() if id not in own]
    watching = [] if only else [watch for watch in ours if watch is not None]
    return [*watching, *(Watch.of(detector) for detector in own.values() if detector.enabled)]


def left_out(settings: Settings, model: str | None = None) -> dict[str, str]:
    """Why some built-in detectors are disabled with these settings, by id."""
    given = _fields(settings, model)
    chosen = _chosen(settings, model)
    made = (configured(kind or load(id), given.get(id, {})) for id, kind in _known(given).items())
    return {
        one.id: one.settings_error(settings.session) or ""
        for one in made
        if one.enabled and not _has_room(one, settings, chosen)
    }


def _chosen(settings: Settings, model: str | None) -> set[str]:
    """The detectors that the user, or the overrides for the model, configure."""
    return {*settings.detectors, *override_for(model, settings).detectors}


def _known(given: Mapping[str, object]) -> dict[str, type[Detector] | None]:
    """The built-in detectors, without loading them, and the plug-ins that settings name."""
    known: dict[str, type[Detector] | None] = dict.fromkeys(scales_by_id())
    if given.keys() - known.keys():
        known.update({id: kind for id, kind in plugin_detectors().items() if id in given and id not in known})
    return known


def _watch(
    id: str, kind: type[Detector] | None, given: Mapping[str, Any], settings: Settings, chosen: set[str]
) -> Watch | None:
    """A built-in detector or plug-in; None if it is disabled or the session keeps too few steps for it."""
    if kind is None and id not in chosen and settings.session == Sizes() and settings.loop == Loop():
        return None if given.get("enabled") is False else Watch(id, looks_at(id), lambda: configured(load(id), given))
    detector = configured(kind or load(id), given)
    return Watch.of(detector) if detector.enabled and _has_room(detector, settings, chosen) else None


def check_values(settings: Settings) -> None:
    """Check each value on its own: names and types of detector fields, tools, and model overrides."""
    known = _known(settings.detectors)
    refuse_unknown("detectors", settings.detectors, known)
    for id, given in settings.detectors.items():
        configured(known[id] or load(id), given)
    settings.vocabulary()
    check_overrides(settings)


def check_overrides(settings: Settings) -> None:
    """Check all model overrides, even for models that are not in use."""
    for glob, override in settings.model_overrides.items():
        try:
            for id, given in override.detectors.items():
                known = _known(override.detectors)
                refuse_unknown("detectors", (id,), known)
                configured(known[id] or load(id), given)
        except SettingsError as error:
            raise SettingsError(f"model_overrides.{glob}: {error}") from error


def configured(kind: type[Detector], given: Mapping[str, Any]) -> Detector:
    """Create a detector with its settings; an error names the field."""
    if not given:
        return kind()
    refuse_unknown(f"detectors.{kind.id}", given, kind.setting_names())
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


def _has_room(detector: Detector, settings: Settings, chosen: set[str]) -> bool:
    """Whether the session keeps enough steps for a detector. Invalid settings of the detector itself are rejected."""
    if detector.settings_error(settings.session) is None:
        return True
    if detector.id in chosen or detector.settings_error(Sizes()):
        _refuse_mistake(detector, settings)
    return False
