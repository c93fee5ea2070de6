"""Profiles for task types and models: the packaged ones, overridden by the user's."""

from fnmatch import fnmatchcase
from functools import cache
from typing import Any, TypeVar

import msgspec

from headway.config.profiles_data import DATA
from headway.config.settings import ModelOverride, Settings, SettingsError, TaskType, nearest
from headway.core.limits import Limits

Part = TypeVar("Part", TaskType, ModelOverride)


@cache
def packaged() -> Settings:
    """The profiles that come with Headway."""
    return Settings.of(DATA)


def task_types(settings: Settings) -> list[str]:
    """Names of all task types."""
    return sorted({*packaged().task_types, *settings.task_types})


def check_task(task: str | None, settings: Settings) -> None:
    """Raise an error with the closest match if a task type is unknown."""
    if task is not None and not _is_known(task, settings):
        raise SettingsError(f"unknown task type {task!r}{nearest(task, task_types(settings))}")


def _is_known(task: str, settings: Settings) -> bool:
    return task in packaged().task_types or task in settings.task_types


def override_for(model: str | None, settings: Settings) -> ModelOverride:
    """The overrides for a model: the first matching pattern of the user, on top of the packaged one."""
    if not model:
        return ModelOverride()
    return _over(_fitting(model, packaged()), _fitting(model, settings))


def limits_for(task: str | None, model: str | None, settings: Settings) -> Limits:
    """The limits of a run: those the user set, and as advice those of its task type."""
    given, ours = _set(settings.global_), {}
    if task is not None and _is_known(task, settings):
        ours = {**_set(packaged().global_), **_set(packaged().task_types.get(task, TaskType()))}
        given = {**_set(settings.task_types.get(task, TaskType())), **given}
    override = _set(override_for(model, settings))
    named = {**override, **ours, **given, "advice": _advice(ours, given)}
    limits = Limits(**{name: value for name, value in named.items() if name in Limits.__struct_fields__})
    if limits.loop_repeat_threshold > limits.signature_history_size:
        raise SettingsError(
            f"loop_repeat_threshold is {limits.loop_repeat_threshold}, but signature_history_size is only "
            f"{limits.signature_history_size}"
        )
    return limits


COUNTS = {"tool_budget", "max_total_iterations"}
"""Limits of a task type that normal work may exceed, so that they are advice by default."""


def _advice(ours: dict[str, Any], given: dict[str, Any]) -> frozenset[str]:
    """Which limits are advice: counts of a packaged task type, unless the user enforces them."""
    only_said = set() if given["limits"] == "enforce" else (ours.keys() - given.keys()) & COUNTS
    if given.get("tool_budget_hard") is not None:
        only_said = (only_said - {"tool_budget"}) | (set() if given["tool_budget_hard"] else {"tool_budget"})
    return frozenset(only_said)


def _fitting(model: str, settings: Settings) -> ModelOverride:
    names = (model.lower(), model.lower().rsplit("/", 1)[-1])
    for glob, override in settings.model_overrides.items():
        if any(fnmatchcase(name, glob.lower()) for name in names):
            return override
    return ModelOverride()


def _over(lower: Part, upper: Part) -> Part:
    return msgspec.structs.replace(lower, **_set(upper))


def _set(part: msgspec.Struct) -> dict[str, Any]:
    """The fields that have a value."""
    return {name: value for name, value in msgspec.structs.asdict(part).items() if value is not None}
