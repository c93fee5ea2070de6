"""All settings, checked when they are given, so that no typing error goes unnoticed.

Shape: `{detectors: {id: {field: value}}, tools, session, policy, task_types, model_overrides, global, loop, notify,
forward}`.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from headway.core.limits import INFINITE, Sizes
from headway.policy import Ladder
from headway.tools.meaning import Vocabulary


class SettingsError(ValueError):
    """A setting is unknown or has the wrong type. The message names it and the closest match."""


class TaskType(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Limits for one type of task."""

    max_exploration_iterations: int | None = None
    tool_budget: int | None = None
    tool_budget_hard: bool | None = None
    """Whether the tool budget ends the run. By default it does if the user set the budget."""
    loop_repeat_threshold: int | None = None
    force_action_after_target_read: bool | None = None
    explorations_after_target: int | None = None
    soft_budget: bool | None = None


class ModelOverride(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Overrides for some models."""

    exploration_multiplier: float | None = None
    continuation_patience: int | None = None
    loop_detection: bool | None = None
    """False disables loop detectors for models that are trusted not to loop."""
    detectors: dict[str, dict[str, Any]] = {}
    """Detector settings for these models only."""


class Global(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Limits that apply to every task."""

    max_total_iterations: int | None = None
    min_content_threshold: int | None = None
    signature_history_size: int | None = None
    max_tokens: int | None = None
    max_cost_usd: float | None = None
    max_seconds: float | None = None
    limits: Literal["advise", "enforce"] = "advise"
    """Whether the numbers of a task type are advice or end the run. Your own limits always do."""
    trust_guessed_task: bool = False
    """Whether the limits of a task type apply if the task type was only guessed from the request."""


class Loop(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When a round counts as progress, and the defaults of `headway loop`."""

    progress_threshold: float = 0.15
    """Progress score below which a round made no progress."""
    stuck_after: int = 3
    """Rounds in a row without progress after which the work counts as stuck."""
    max_rounds: int = 10
    """Maximum number of rounds."""
    round_timeout: float | None = None
    """Time limit of a round, in seconds."""
    measure_timeout: float = 600.0
    """Time limit of a measuring command, in seconds."""
    rollback: Literal["auto", "ask", "never"] = "auto"
    """Whether rounds that break something are rolled back."""
    test: str | None = None
    """The project's test command, if the one Headway detects is wrong."""
    no_tests: bool = False
    """Whether to run even if no tests can be measured."""
    protect: tuple[str, ...] = ()
    """Files and folders, relative to the project, that no round may change."""
    until: str | None = None
    """The work is done when this command succeeds."""
    note: bool = True
    """Whether measurements and advice are added to the prompt."""


class Forward(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Sending the events of live agents to other machines. A project's file cannot set this."""

    kafka: str | None = None
    """Address of a Kafka broker, as HOST:PORT. If it is set, hooks queue events and `headway forward` sends them."""
    properties: str | None = None
    """A file with properties of Kafka's client, for encryption and passwords: one name=value in each line."""
    content: bool = False
    """Whether the outputs of tools and what is said are sent, too. By default only digests of them are."""
    queue_mb: int = 64
    """Largest size of the queue on disk, in megabytes. Events that do not fit are dropped and counted."""


NoticeKind = Literal["stop", "escalate", "would_stop", "needs_you", "budget_80", "budget_100"]
"""What the service can notify a person about."""


class Notify(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How `headway serve` notifies you. Only your own settings may say this, never those of a project."""

    desktop: bool = False
    """Whether to show a notification on the desktop (`notify-send`, or `osascript` on macOS)."""
    webhook: str | None = None
    """Address to which each notification is sent as JSON."""
    slack: str | None = None
    """Address of an incoming webhook of Slack."""
    ntfy: str | None = None
    """Address of an ntfy topic, such as `https://ntfy.sh/my-topic`."""
    on: tuple[NoticeKind, ...] = ("stop", "escalate", "would_stop", "needs_you", "budget_80", "budget_100")
    """What to notify about: a run was stopped, a person is asked about a call, a run would have been stopped in
    the mode `enforce`, a program waits for an answer or a limit cannot be kept, 80 % or 100 % of a limit that you set
    is used."""
    quiet: str | None = None
    """Hours in which nothing is sent, such as `22:00-07:00`, in local time. What is due then is sent afterwards."""

    @property
    def is_on(self) -> bool:
        """Whether there is any way to notify."""
        return self.desktop or bool(self.webhook or self.slack or self.ntfy)


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All settings of a monitor."""

    detectors: dict[str, dict[str, Any]] = {}
    """Detector settings, by detector id. An id that is not built in is looked up among plug-ins."""
    tools: dict[str, dict[str, Any]] = {}
    """Your own tools: what they do, and which argument is the path, the query or the command."""
    session: Sizes = Sizes()
    """How much of a run is remembered."""
    policy: Ladder = Ladder()
    """When Headway nudges, blocks and stops."""
    task_types: dict[str, TaskType] = {}
    model_overrides: dict[str, ModelOverride] = {}
    global_: Global = msgspec.field(default=Global(), name="global")
    loop: Loop = Loop()
    forward: Forward = Forward()
    notify: Notify = Notify()

    @classmethod
    def of(cls, given: "Settings | Mapping[str, Any] | None") -> "Settings":
        """Check settings given as plain data."""
        if isinstance(given, Settings):
            return given
        if not given:
            return _defaults()
        if not isinstance(given, Mapping):
            raise SettingsError(f"settings must be a mapping, not {given!r}; Settings.find() reads the settings files")
        from headway.config.renames import with_current_ids  # most have no settings

        data: dict[str, Any] = with_current_ids(given)
        _check_keys(data)
        try:
            settings = msgspec.convert(data, cls)
        except msgspec.ValidationError as error:
            raise SettingsError(_named_first(str(error))) from error
        _check_positive(settings)
        _check_notify(settings.notify)
        return settings

    @classmethod
    def find(cls, overrides: Iterable[str] = ()) -> "Settings":
        """The settings of this user and project, merged from files, environment variables and `KEY=VALUE` overrides."""
        from headway.config.find import find_settings  # only needed if settings are read from files

        return find_settings(overrides).settings

    @property
    def for_a_monitor(self) -> "Settings":
        """The same without addresses of notifications: a monitor is saved, and these are secrets."""
        return self if self.notify == Notify() else msgspec.structs.replace(self, notify=Notify())

    def with_limits(self, limits: Literal["advise", "enforce"] | None) -> "Settings":
        """A copy in which the limits of a task type are advice or enforced; unchanged for None."""
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
    """A hint with the closest match."""
    import difflib  # needed only after a mistake

    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else f"; expected one of: {', '.join(sorted(known))}"


def refuse_unknown(above: str, given: Iterable[Any], known: Iterable[str]) -> None:
    """Raise an error that names the first unknown key, below the table it is in, and the closest match."""
    for name in given:
        if name not in known:
            key = name if str(name).isidentifier() else repr(name)
            raise SettingsError(f"unknown setting {f'{above}.' if above else ''}{key}{nearest(str(name), known)}")


def check_amount(name: str, value: Any) -> None:
    """Reject numbers that allow nothing, limit nothing or cannot be stored: 0 and less, `inf`, `nan`, and 2**63."""
    if type(value) in (int, float) and not 0 < value < INFINITE:
        raise SettingsError(f"{name} must be {'finite' if value == INFINITE else 'more than 0'}, not {value}")
    if type(value) is int and value >= 2**63:
        raise SettingsError(f"{name} must be less than 2**63")
    if name in SHARES and value is not None and value > 1:
        raise SettingsError(f"{name} must be at most 1, not {value}")


SHARES = {
    "loop.progress_threshold", "policy.target_quality", "detectors.no_progress.progress_threshold",
    "detectors.doom_loop.similarity_threshold", "detectors.similar_calls.similarity", "detectors.low_hit_rate.rate",
    "detectors.fruitless_streak.share", "detectors.monologue.share", "detectors.over_refinement.below",
    "detectors.quality_drop.below", "detectors.stalled.progress",
    "detectors.deadline.early", "detectors.deadline.late", "detectors.spend.early", "detectors.spend.late",
}  # fmt: skip
"""Settings that are shares, so that values above 1 make no sense."""
_PARTS: dict[str, type[msgspec.Struct]] = {
    "session": Sizes, "policy": Ladder, "global": Global, "loop": Loop, "forward": Forward, "notify": Notify,
}  # fmt: skip
_TABLES: dict[str, type[msgspec.Struct]] = {"task_types": TaskType, "model_overrides": ModelOverride}


def _check_keys(given: Mapping[str, Any]) -> None:
    """Check the keys before the values, so that a mistyped key gets a hint."""
    refuse_unknown("", given, Settings.__struct_encode_fields__)
    for name, part in _PARTS.items():
        if isinstance(given.get(name), Mapping):
            refuse_unknown(name, given[name], part.__struct_fields__)
    for name, part in _TABLES.items():
        table = given.get(name)
        for key, value in table.items() if isinstance(table, Mapping) else ():
            if isinstance(value, Mapping):
                refuse_unknown(f"{name}.{key}", value, part.__struct_fields__)


def _named_first(complaint: str) -> str:
    """An error message of msgspec, rewritten to begin with the name of the setting and to list the allowed values."""
    what, _, where = complaint.partition(" - at `$")
    name = where.strip(".`")
    table, _, field = name.partition(".")
    known = _choices(get_type_hints(_PARTS[table]).get(field)) if table in _PARTS else ()
    return f"{name or 'settings'}: {what}" + (f"; expected one of: {', '.join(known)}" if known else "")


def _choices(kind: Any) -> tuple[str, ...]:
    """The values that a setting can have, if they are few: those of its literal or enumeration."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(str(one.value) for one in kind)
    inner = get_args(kind)
    return tuple(map(str, inner)) if get_origin(kind) is Literal else tuple(c for one in inner for c in _choices(one))


def is_hours(text: str) -> bool:
    """Whether a text names hours such as 22:00-07:00."""
    import re  # only needed if quiet hours are set

    return bool(re.fullmatch(r"([01]?\d|2[0-3]):[0-5]\d-([01]?\d|2[0-3]):[0-5]\d", text))


def _check_notify(notify: Notify) -> None:
    """Check addresses and quiet hours before they are needed."""
    for name in ("webhook", "slack", "ntfy"):
        address = getattr(notify, name)
        if address is not None and not address.startswith(("http://", "https://")):
            raise SettingsError(f"notify.{name} must be an address that begins with http:// or https://")
    if notify.quiet is not None and not is_hours(notify.quiet):
        raise SettingsError(f"notify.quiet must be hours such as 22:00-07:00, not {notify.quiet!r}")


def _check_positive(settings: Settings) -> None:
    """Reject limits of 0, which would allow or remember nothing."""
    named: dict[str, Any] = {"session": settings.session, "policy": settings.policy, "global": settings.global_}
    named |= {"loop": settings.loop, "forward": settings.forward}
    named |= {f"task_types.{name}": task for name, task in settings.task_types.items()}
    named |= {f"model_overrides.{name}": model for name, model in settings.model_overrides.items()}
    for where, part in named.items():
        for name, value in msgspec.structs.asdict(part).items():
            check_amount(f"{where}.{name}", value)
