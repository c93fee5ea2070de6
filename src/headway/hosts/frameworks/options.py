"""The options of every adapter, checked by name before any run."""

from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from numbers import Real
from pathlib import PurePath
from typing import Any, TypedDict

import msgspec

from headway.config.settings import Settings, SettingsError, check_amount
from headway.core.decision import Decision
from headway.core.detector import Detector
from headway.hosts.stores import Store

OnDecision = Callable[[Decision, str, str], object]
"""Called with a decision, the conversation, and the agent in it."""
LIMITS = ("max_tokens", "max_cost_usd", "max_seconds")
"""Limits that can be given by their own name; all others are in `settings`."""


class MonitorOptions(TypedDict, total=False):
    """What the Monitor of a conversation takes. Detectors are given as types, because each conversation has its own."""

    task: str | None
    model: str | None
    targets: str | Iterable[str]
    root: str | PurePath | None
    settings: Settings | Mapping[str, Any] | None
    detectors: Iterable[type[Detector]]


class Options(MonitorOptions, total=False):
    """What an adapter takes: the Monitor's settings, limits, a callback for decisions, and where state is kept."""

    max_tokens: int | None
    max_cost_usd: float | None
    max_seconds: float | None
    on_decision: OnDecision | Callable[[Decision], object] | None
    store: Store | str | None
    """A store, or the name of one that the framework has already: "checkpointer" (LangChain), "session" (ADK)."""


KNOWN = tuple(sorted(Options.__optional_keys__))


def check_names(options: Mapping[str, Any], *more: str) -> None:
    """Reject an option that does not exist, and name the one that was probably meant."""
    known = (*KNOWN, *more)
    for name in options:
        if name not in known:
            import difflib  # needed only after a mistake

            close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
            hint = f"did you mean `{close[0]}`?" if close else f"expected one of: {', '.join(known)}"
            raise TypeError(f"unknown option `{name}`: {hint}")


def checked_store(options: Options) -> Store | None:
    """The given store. A name stands for a store of the framework, which the adapter has handled before."""
    store = options.get("store")
    if store is None or isinstance(store, Store):
        return store
    raise TypeError(f"store={store!r}: expected a store such as SQLiteStore(path), from headway.hosts.stores.sqlite")


def monitor_options(options: Options) -> MonitorOptions:
    """The options that a Monitor takes, with the limits among its settings and detectors of its own."""
    given: dict[str, Any] = {name: options[name] for name in MonitorOptions.__optional_keys__ if name in options}  # type: ignore[literal-required]
    if isinstance(own := given.get("detectors"), (list, tuple)):
        given["detectors"] = [one.fresh_copy() if isinstance(one, Detector) else one for one in own]
    limits = {name: value for name in LIMITS if (value := options.get(name)) is not None}
    if limits:
        for name, value in limits.items():
            if not isinstance(value, Real):
                raise SettingsError(f"{name} must be a number, not {value!r}")
            check_amount(name, value)
        settings = Settings.of(given.get("settings"))
        global_ = msgspec.structs.replace(settings.global_, **limits)
        given["settings"] = msgspec.structs.replace(settings, global_=global_)
    return given  # type: ignore[return-value]


def with_all_arguments(on_decision: OnDecision | Callable[[Decision], object]) -> OnDecision:
    """The function, called with decision, conversation and agent; one that takes less gets only the decision."""
    try:
        signature(on_decision).bind(None, "", "")
    except (TypeError, ValueError):
        return lambda decision, *_: on_decision(decision)  # type: ignore[call-arg]
    return on_decision  # type: ignore[return-value]
