"""Profiles for task types and models: the packaged ones, overridden by the user's. And which task a request is."""

from functools import cache, lru_cache
from typing import Any, TypeVar

import msgspec

from headway.config.settings import ModelOverride, Settings, SettingsError, TaskType, nearest
from headway.core.limits import Limits
from headway.rolling.lazy import packaged as packaged_data
from headway.rolling.lazy import regex

Part = TypeVar("Part", TaskType, ModelOverride)

LONGEST_NAME = 100
"""Characters of the names of tasks and models for which limits are remembered."""


@cache
def packaged() -> Settings:
    """The profiles that come with Headway."""
    return packaged_data("config/profiles.json", Settings)


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
    if settings is Settings.of(None) and len(task or "") + len(model or "") <= LONGEST_NAME:
        return _usual_limits(task, model)
    return _limits(task, model, settings)


@lru_cache(maxsize=64)
def _usual_limits(task: str | None, model: str | None) -> Limits:
    """The limits of most runs: those of the defaults."""
    return _limits(task, model, Settings.of(None))


def _limits(task: str | None, model: str | None, settings: Settings) -> Limits:
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


COUNTS = {"tool_budget", "max_total_iterations", "max_exploration_iterations"}
"""Limits of a task type that normal work may exceed, so that they are advice by default."""


def _advice(ours: dict[str, Any], given: dict[str, Any]) -> frozenset[str]:
    """Which limits are advice: counts of a packaged task type, unless the user enforces them."""
    only_said = set() if given["limits"] == "enforce" else (ours.keys() - given.keys()) & COUNTS
    if given.get("tool_budget_hard") is not None:
        only_said = (only_said - {"tool_budget"}) | (set() if given["tool_budget_hard"] else {"tool_budget"})
    return frozenset(only_said)


def _fitting(model: str, settings: Settings) -> ModelOverride:
    from fnmatch import fnmatchcase  # only where a model is known

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


_WORDS = {
    "research": r"research|look up|on the web|online|documentation for|latest version|google",
    "design": r"design|propose|architecture|plan (?:for|the|a|how)|outline|brainstorm|think about|trade-?offs?",
    "analyze": r"analy[sz]e|count|measure|audit|review|profile|how many|summari[sz]e|explain|understand",
    "search": r"find|where|locate|search|which files?|list all|look for",
    "create_simple": r"hello.?world|single file|a (?:small|simple|tiny) (?:script|file|program)",
    "create": r"create|implement|build|generate|scaffold|write|add (?:a )?new|new (?:module|feature|class)",
    "edit": r"fix|change|edit|update|refactor|rename|remove|replace|modify|bug|failing|broken|improve|correct",
}
_TELLING = regex(r"\b(?=[a-z])(?=(?:" + "|".join(f"(?P<{task}>{words})" for task, words in _WORDS.items()) + r")\b)")
"""Where a telling word begins; the words are not used up, so that they may overlap."""
_CONFIDENCE = (0.8, 0.6, 0.4)
"""Confidence of a guess if the words fit one task type, two, or more."""


class Guess(msgspec.Struct, frozen=True):
    """A task type and how sure it is (0-1)."""

    task: str
    confidence: float


def guess_task(request: str) -> Guess:
    """Read the first 2,000 characters of a request; the earlier a telling word comes, the more it weighs.

    It is cheap and deterministic, and says how sure it is. A guess only keeps Headway from saying what would be out of
    place for such a task; limits follow from a guess only if the user wants that.
    """
    found: list[str] = []
    for match in _TELLING.finditer(request[:2_000].lower()):
        task = match.lastgroup
        if task and task not in found:
            found.append(task)
            if len(found) == len(_CONFIDENCE):
                break
    return Guess(found[0], _CONFIDENCE[len(found) - 1]) if found else Guess("general", 0.2)
