"""Task types and models: the packaged profiles, with the user's own on top."""

import tomllib
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

import msgspec

from headway.config.settings import ModelOverride, Settings, SettingsError, TaskType, nearest
from headway.core.limits import Limits

Part = TypeVar("Part", TaskType, ModelOverride)


@cache
def packaged() -> Settings:
    """The profiles that come with Headway."""
    return Settings.of(tomllib.loads(files("headway.config").joinpath("profiles.toml").read_text("utf-8")))


def task_types(settings: Settings) -> list[str]:
    """Names of all task types that are known."""
    return sorted({*packaged().task_types, *settings.task_types})


def check_task(task: str | None, settings: Settings) -> None:
    """Raise an error that names the nearest task type, if this one is not known."""
    known = task_types(settings)
    if task is not None and task not in known:
        raise SettingsError(f"unknown task type {task!r}{nearest(task, known)}")


def override_for(model: str | None, settings: Settings) -> ModelOverride:
    """What is different for a model: the user's pattern that fits, on top of the packaged one."""
    if not model:
        return ModelOverride()
    return _over(_fitting(model, packaged()), _fitting(model, settings))


def limits_for(task: str | None, model: str | None, settings: Settings) -> Limits:
    """The limits of a run: none but the user's own, unless its task type is named."""
    given = _set(settings.global_)
    if task is not None:
        profile = _over(packaged().task_types.get(task, TaskType()), settings.task_types.get(task, TaskType()))
        given = {**_set(packaged().global_), **_set(profile), **given}
    override = _set(override_for(model, settings))
    return Limits(**{name: value for name, value in {**override, **given}.items() if name in Limits.__struct_fields__})


def _fitting(model: str, settings: Settings) -> ModelOverride:
    name = model.lower().rsplit("/", 1)[-1]
    fits = (override for glob, override in settings.model_overrides.items() if fnmatchcase(name, glob.lower()))
    return next(fits, ModelOverride())


def _over(lower: Part, upper: Part) -> Part:
    return msgspec.structs.replace(lower, **_set(upper))


def _set(part: msgspec.Struct) -> dict[str, Any]:
    """The fields that were given a value."""
    return {name: value for name, value in msgspec.structs.asdict(part).items() if value is not None}
