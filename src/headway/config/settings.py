"""Everything a user can change, checked when it is given, so that a typing error cannot go unnoticed.

Shape: `{detectors: {id: {field: value}}, tools, session, policy, task_types, model_overrides, global, loop}`. The last
four have the keys of seeds 004 and 001, so that files written for those load as they are.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from math import inf
from typing import Any, Literal

import msgspec

from headway.config.renames import with_current_ids
from headway.core.sizes import Sizes
from headway.policy.ladder import Ladder
from headway.tools.meaning import Vocabulary


class SettingsError(ValueError):
    """A setting is unknown or has the wrong type; the message names it and the nearest known one."""


class TaskType(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Limits of one kind of task (seed 004)."""

    max_exploration_iterations: int | None = None
    tool_budget: int | None = None
    tool_budget_hard: bool | None = None
    """Whether the tool budget ends the run; if nobody says, it does where the user has set the budget."""
    loop_repeat_threshold: int | None = None
    force_action_after_target_read: bool | None = None
    explorations_after_target: int | None = None
    soft_budget: bool | None = None


class ModelOverride(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is different for some models (seed 004)."""

    exploration_multiplier: float | None = None
    continuation_patience: int | None = None
    loop_detection: bool | None = None
    """False for models that are trusted not to loop."""
    detectors: dict[str, dict[str, Any]] = {}
    """Fields of detectors for these models only."""


class Global(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Limits whatever the task is."""

    max_total_iterations: int | None = None
    min_content_threshold: int | None = None
    signature_history_size: int | None = None
    max_tokens: int | None = None
    max_cost_usd: float | None = None
    max_seconds: float | None = None
    limits: Literal["advise", "enforce"] = "advise"
    """Whether the calls and steps that a task type plans for are only said, or end the run. What you set holds."""
    trust_guessed_task: bool = False
    """Whether a task type that was only guessed from the request brings its limits with it."""


class Loop(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When a round of a work loop counts as progress (seed 001), and how `headway loop` works where nobody says."""

    progress_threshold: float = 0.15
    """Progress score below which a round made no progress."""
    stuck_after: int = 3
    """Rounds without progress in a row after which the work counts as stuck."""
    max_rounds: int = 10
    """Rounds after which a loop ends."""
    round_timeout: float | None = None
    """Seconds after which a round is ended."""
    measure_timeout: float = 600.0
    """Seconds after which a measuring command is killed."""
    rollback: Literal["auto", "ask", "never"] = "auto"
    """Whether a round that broke something is rolled back."""
    test: str | None = None
    """The project's test command, where what Headway finds by itself is not right."""
    no_tests: bool = False
    """Whether to go on although no tests can be measured."""
    protect: tuple[str, ...] = ()
    """Files and folders, relative to the project, that no round may change."""
    until: str | None = None
    """The command whose success means that the work is done."""
    note: bool = True
    """Whether prompts carry measurements and how to make progress visible."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything a user can change about a monitor."""

    detectors: dict[str, dict[str, Any]] = {}
    """Fields of detectors, by detector id. An id that does not come with Headway is looked up among plug-ins."""
    tools: dict[str, dict[str, Any]] = {}
    """Your own tools: what they do, and which argument is the path, the query, the command."""
    session: Sizes = Sizes()
    """How much is remembered."""
    policy: Ladder = Ladder()
    """When Headway speaks, refuses and stops."""
    task_types: dict[str, TaskType] = {}
    model_overrides: dict[str, ModelOverride] = {}
    global_: Global = msgspec.field(default=Global(), name="global")
    loop: Loop = Loop()

    @classmethod
    def of(cls, given: "Settings | Mapping[str, Any] | None") -> "Settings":
        """Check settings given as plain data."""
        if isinstance(given, Settings):
            return given
        if not given:
            return _defaults()
        given = with_current_ids(given)
        _check_keys(given)
        try:
            settings = msgspec.convert(given, cls)
        except msgspec.ValidationError as error:
            raise SettingsError(f"settings: {error}") from error
        _check_positive(settings)
        return settings

    @classmethod
    def find(cls, overrides: Iterable[str] = ()) -> "Settings":
        """The settings of this user and this project: files, environment and `KEY=VALUE` overrides together."""
        from headway.config.find import find_settings  # it reads files, which most monitors never do

        return find_settings(overrides).settings

    def with_limits(self, limits: Literal["advise", "enforce"] | None) -> "Settings":
        """The same, with the numbers of a task type advised or enforced; as they are, if nothing is said."""
        if limits is None:
            return self
        if limits not in ("advise", "enforce"):
            raise SettingsError(f'limits must be "advise" or "enforce", not {limits!r}')
        return msgspec.structs.replace(self, global_=msgspec.structs.replace(self.global_, limits=limits))

    def vocabulary(self) -> Vocabulary:
        """The packaged vocabulary with the user's own tools."""
        if not self.tools:
            return Vocabulary.packaged()
        try:
            return Vocabulary.packaged().with_tools(self.tools)
        except ValueError as error:
            raise SettingsError(f"tools: {error}") from error


@cache
def _defaults() -> Settings:
    return Settings()


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint at what may have been meant."""
    import difflib  # only for those who make a mistake

    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else f"; known are: {', '.join(sorted(known))}"


def refuse_unknown(what: str, given: Mapping[str, Any], known: Iterable[str]) -> None:
    """Raise an error that names the first key that is not known, and the nearest one that is."""
    for name in given:
        if name not in known:
            raise SettingsError(f"unknown {what}: {name!r}{nearest(str(name), known)}")


def check_amount(name: str, value: Any) -> None:
    """Refuse numbers that forbid everything or limit nothing: 0 and less, `inf`, and `nan`, which is no number."""
    if type(value) in (int, float) and not 0 < value < inf:
        raise SettingsError(f"{name} must be {'finite' if value == inf else 'more than 0'}, not {value}")
    if name in SHARES and value is not None and value > 1:
        raise SettingsError(f"{name} must be at most 1, not {value}")


SHARES = {
    "loop.progress_threshold", "policy.target_quality", "detectors.no_progress.progress_threshold",
    "detectors.doom_loop.similarity_threshold", "detectors.similar_calls.similarity", "detectors.low_hit_rate.rate",
    "detectors.fruitless_streak.share", "detectors.monologue.share", "detectors.over_refinement.below",
    "detectors.quality_drop.below", "detectors.stalled.progress",
    "detectors.deadline.early", "detectors.deadline.late", "detectors.spend.early", "detectors.spend.late",
}  # fmt: skip
"""Numbers that are compared with a share, so that none above 1 makes sense. (A growth may be more than 1.)"""
_PARTS: dict[str, type[msgspec.Struct]] = {"session": Sizes, "policy": Ladder, "global": Global, "loop": Loop}
_TABLES: dict[str, type[msgspec.Struct]] = {"task_types": TaskType, "model_overrides": ModelOverride}


def _check_keys(given: Mapping[str, Any]) -> None:
    """Look at the keys before the values: a key with a typing error deserves a hint."""
    refuse_unknown("setting", given, Settings.__struct_encode_fields__)
    for name, part in _PARTS.items():
        if isinstance(given.get(name), Mapping):
            refuse_unknown(f"setting {name}", given[name], part.__struct_fields__)
    for name, part in _TABLES.items():
        table = given.get(name)
        for key, value in table.items() if isinstance(table, Mapping) else ():
            if isinstance(value, Mapping):
                refuse_unknown(f"setting {name}.{key}", value, part.__struct_fields__)


def _check_positive(settings: Settings) -> None:
    """A limit of 0 would forbid everything or remember nothing: nobody means that."""
    named: dict[str, Any] = {"session": settings.session, "policy": settings.policy, "global": settings.global_}
    named["loop"] = settings.loop
    named |= {f"task_types.{name}": task for name, task in settings.task_types.items()}
    named |= {f"model_overrides.{name}": model for name, model in settings.model_overrides.items()}
    for where, part in named.items():
        for name, value in msgspec.structs.asdict(part).items():
            check_amount(f"{where}.{name}", value)
