"""One pattern, watched in one session.

A detector is a class with three kinds of members:

- **settings**: annotated fields with a default and a docstring underneath;
- **state**: fields made with `state(...)`, which the engine saves and loads by itself;
- **hooks**: methods named after what happens, each yielding `Finding`s. All are optional.

A finding means "seen now". The ledger records whether it is new, and the policy decides whether the agent is nudged.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Literal, Self, dataclass_transform, get_origin, get_type_hints

import msgspec

from headway.core.events import Advised, AgentSpoke, Ticked, Used, UserSpoke
from headway.core.finding import Finding, Severity
from headway.core.iteration import Iteration
from headway.core.limits import Sizes
from headway.core.session import Session
from headway.core.step import Step
from headway.tools.kinds import KINDS, Kind

Findings = Iterable[Finding]


class _State:
    """A field that holds what a detector remembers, and how its initial value is made."""

    def __init__(self, begin: Callable[[], Any]) -> None:
        self.begin = begin


def state(default: Any = None, *, factory: Callable[[], Any] | None = None, init: Literal[False] = False) -> Any:
    """Declare a field that holds what a detector remembers: `streak: int = state(0)`.

    `init` is for type checkers only: it marks the field as not an argument of the constructor.
    """
    return _State(factory or (lambda: default))


HOOKS = ("on_step", "on_message", "on_use", "on_iteration", "on_change", "on_user_turn", "on_tick")


@dataclass_transform(kw_only_default=True, field_specifiers=(state,))
class Detector:
    """Base of all detectors: settings are class attributes, and `EmptyStreak(limit=5)` sets one for that instance.

    It works like a dataclass, but generates no code, because a hook loads these classes at every event.
    """

    id: ClassVar[str] = ""
    """The class name in snake case: `EmptyStreak` is `empty_streak`."""

    hooks: ClassVar[frozenset[str]] = frozenset()
    """The hooks that it overrides; the others are never called."""
    kinds: ClassVar[frozenset[Kind]] = frozenset()
    """Kinds of calls that `on_step` is called for; empty means all."""
    only_failures: ClassVar[bool] = False
    """Whether `on_step` is called for failed calls only."""
    only_changes: ClassVar[bool] = False
    """Whether `on_step` is called only for calls that changed files."""
    only_repeats: ClassVar[bool] = False
    """Whether `on_step` is called only for calls that the session has seen before and still remembers."""
    only_tests: ClassVar[bool] = False
    """Whether `on_step` is called only for calls whose output shows the result of tests."""
    worth_saying: ClassVar[int] = 0
    """Length from which its findings are told once, although they are otherwise only recorded; nothing else follows
    from them. Fewer than 1 in 500 solved runs reach it (`bench/lift.py --lengths`). 0 means never."""
    limits: ClassVar[tuple[str, ...]] = ()
    """Limits of a run: the detector runs only if one of them is set. Empty means that it always runs."""
    _types: ClassVar[dict[str, Any]]
    _settings: ClassVar[tuple[str, ...]] = ("severity", "enabled", "advisory")
    _states: ClassVar[dict[str, _State]] = {}

    severity: Severity = Severity.MEDIUM
    """Severity of its findings. Low ones are only recorded. The agent is nudged about one high or two medium ones,
    unless the detector is one of `policy.only_recorded`."""
    enabled: bool = True
    """Whether the detector runs."""
    advisory: bool = False
    """If true, its findings are advice only: the agent is never blocked or stopped because of them."""
    confidence: ClassVar[float] = 0.8
    """Confidence of its findings, unless a finding sets its own."""
    clears: ClassVar[str] = ""
    """What clears a finding, as one sentence for the agent, unless a finding sets its own."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._states = dict(cls._states)
        for name, annotation in cls.__annotations__.items():
            cls._declare(name, annotation)
        for name, member in cls.__dict__.items():
            cls._check(name, member)
        cls.hooks = frozenset(hook for hook in HOOKS if getattr(cls, hook) is not getattr(Detector, hook))
        if unknown := cls.kinds.difference(KINDS):
            raise TypeError(
                f"{cls.__name__}.kinds has {', '.join(sorted(unknown))}; expected one of: {', '.join(sorted(KINDS))}"
            )
        cls.id = cls.__dict__.get("id") or _in_snake_case(cls.__name__)

    def __init__(self, **settings: Any) -> None:
        for name, value in settings.items():
            if name not in self._settings:
                raise TypeError(
                    f"{type(self).__name__} has no setting {name!r}; expected one of: {', '.join(self._settings)}"
                )
            setattr(self, name, value)
        for name, kept in self._states.items():
            setattr(self, name, kept.begin())

    def fresh_copy(self) -> Self:
        """A new detector with the same settings and its initial state; each session has its own."""
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)
        for name, kept in self._states.items():
            setattr(made, name, kept.begin())
        return made

    @classmethod
    def _check(cls, name: str, member: object) -> None:
        """Reject what would silently have no effect: a misspelt hook, and state that cannot be saved."""
        if isinstance(member, _State):
            raise TypeError(f"{cls.__name__}.{name} needs a type: `{name}: int = state(...)`")
        if name.startswith("on_") and callable(member) and name not in HOOKS:
            raise TypeError(
                f"{cls.__name__}.{name} is not a hook, so it is never called; hooks are: {', '.join(HOOKS)}"
            )

    @classmethod
    def _declare(cls, name: str, annotation: Any) -> None:
        """Sort an annotated field into settings and state."""
        default = cls.__dict__.get(name, ...)
        if _is_class_variable(annotation):
            return
        if name in _CLASS_VARIABLES:
            raise TypeError(
                f"{cls.__name__}.{name} cannot be annotated: an annotated field is a setting, and {name!r} is none. "
                f"Write `{name} = ...`"
            )
        if isinstance(default, _State):
            cls._states[name] = default
            delattr(cls, name)
        elif default is ... or isinstance(default, (list, dict, set)):
            raise TypeError(f"{cls.__name__}.{name} needs a default that cannot change, or state(...)")
        elif name not in cls._settings:
            cls._settings = (*cls._settings, name)

    def on_step(self, step: Step, session: Session) -> Findings:
        """A tool call came back."""
        return ()

    def on_message(self, event: UserSpoke | AgentSpoke | Advised, session: Session) -> Findings:
        """The user or the agent said something, or the agent was given guidance."""
        return ()

    def on_use(self, event: Used, session: Session) -> Findings:
        """Tokens or money were spent."""
        return ()

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """A round of a work loop ended."""
        return ()

    def on_change(self, paths: tuple[str, ...], session: Session) -> Findings:
        """Files were changed; no paths means that anything may be different (a compaction, a checkout)."""
        return ()

    def on_tick(self, event: Ticked, session: Session) -> Findings:
        """Time has passed, and nothing else happened."""
        return ()

    def on_user_turn(self) -> None:
        """The user sent a message: forget what belongs to the previous turn."""

    def settings_error(self, sizes: Sizes) -> str | None:
        """Why it could never fire, or would always fire, with these settings; None if they are fine."""
        return None

    def finding(
        self,
        message: str,
        *,
        identity: str = "",
        severity: Severity | None = None,
        confidence: float | None = None,
        repeats: Iterable[int] = (),
        advisory: bool | None = None,
        clears: str | None = None,
        lasted: int = 0,
        **evidence: Any,
    ) -> Finding:
        """Create a finding about what is seen now."""
        is_long = 0 < self.worth_saying <= lasted
        return Finding(
            detector=self.id,
            severity=severity or self.severity,
            confidence=self.confidence if confidence is None else confidence,
            message=message,
            evidence=evidence,
            identity=identity,
            repeats=tuple(repeats),
            advisory=is_long or (self.advisory if advisory is None else advisory),
            clears=self.clears if clears is None else clears,
            lasted=lasted,
            worth_saying=is_long,
        )

    @classmethod
    def setting_names(cls) -> list[str]:
        """Names of the fields a user may set."""
        return list(cls._settings)

    @classmethod
    def field_types(cls) -> dict[str, Any]:
        """The type of each field; cached, because resolving annotations is slow."""
        if "_types" not in cls.__dict__:
            cls._types = get_type_hints(cls)
        return cls._types

    def save(self) -> dict[str, Any]:
        """Its state, as plain data."""
        return {name: getattr(self, name) for name in self._states}

    def load(self, saved: dict[str, Any]) -> None:
        """Restore what `save` returned."""
        for name in self._states.keys() & saved.keys():
            value, now = saved[name], getattr(self, name)
            if type(value) is type(now) and (value == now or isinstance(value, (int, float, str))):
                setattr(self, name, value)  # already has the right type: no need to resolve the annotation
            else:
                setattr(self, name, msgspec.convert(value, self._type_of(name), strict=False))

    @classmethod
    def _type_of(cls, name: str) -> Any:
        """The type of one field. Resolving all of them takes a hook longer than everything else about a detector."""
        written = cls.__annotations__.get(name, "")
        return cls.field_types()[name] if isinstance(written, str) else written


def _is_class_variable(annotation: Any) -> bool:
    """Whether an annotation is a ClassVar; under `from __future__ import annotations` it is a string."""
    if isinstance(annotation, str):
        return re.match(r"(\w+\.)?ClassVar\b", annotation) is not None
    return annotation is ClassVar or get_origin(annotation) is ClassVar


def _in_snake_case(name: str) -> str:
    """`EmptyStreak` as `empty_streak`; without a regex, which every call of a hook would have to compile."""
    pairs = zip(f" {name}", name, strict=False)
    return "".join(f"_{one}" if one.isupper() and (a.islower() or a.isdigit()) else one for a, one in pairs).lower()


_CLASS_VARIABLES = frozenset(name for name, kind in Detector.__annotations__.items() if _is_class_variable(kind))
"""Fields that an author sets for the whole class, and that a user cannot set."""
