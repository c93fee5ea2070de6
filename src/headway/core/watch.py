"""The detectors of one session, each created at the first event that it looks at.

Most steps concern few detectors, and most runs need only some of them: the others are never loaded. A detector that has
not been called has no state yet, so creating it later makes no difference.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from headway.core.detector import Detector
from headway.core.limits import Limits
from headway.tools.kinds import Kind

StepTraits = tuple[Kind, bool, bool, bool, bool]
"""What decides which detectors see a step: its kind, and whether it failed, changed files, was a repeat, ran tests."""


class LooksAt(msgspec.Struct, frozen=True, cache_hash=True):
    """What a detector looks at, available without loading its class."""

    hooks: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    only_failures: bool = False
    only_changes: bool = False
    only_repeats: bool = False
    only_tests: bool = False
    limits: tuple[str, ...] = ()

    @classmethod
    def of(cls, detector: type[Detector]) -> "LooksAt":
        """Read it from a detector's class."""
        said = {name: getattr(detector, name) for name in cls.__struct_fields__}
        return cls(**{**said, "hooks": tuple(sorted(detector.hooks)), "kinds": tuple(sorted(detector.kinds))})

    def concerns(self, kind: Kind, failed: bool, changed: bool, again: bool, tests: bool) -> bool:
        """Whether it looks at steps like this one."""
        return (
            (not self.kinds or kind in self.kinds)
            and (failed or not self.only_failures)
            and (changed or not self.only_changes)
            and (again or not self.only_repeats)
            and (tests or not self.only_tests)
        )

    def has_limit(self, limits: Limits) -> bool:
        """Whether one of the limits that it needs is set; true if it needs none."""
        if not self.limits:
            return True
        values = [getattr(limits, name) for name in self.limits]
        return any(value is not None and value is not False for value in values)


class Places:
    """Which detectors are called for which events, by their places in the list."""

    def __init__(self, looks: tuple[LooksAt, ...], limits: Limits) -> None:
        self.forgetting = [place for place, one in enumerate(looks) if "on_user_turn" in one.hooks]
        self._looking = [(place, one) for place, one in enumerate(looks) if one.has_limit(limits)]
        self._found: dict[tuple[str, StepTraits | None], list[int]] = {}

    def with_hook(self, hook: str, like_it: StepTraits | None = None) -> list[int]:
        """Those that have this hook; of `on_step`, only those that look at steps like this one."""
        found = self._found.get((hook, like_it))
        if found is None:
            having = [(place, one) for place, one in self._looking if hook in one.hooks]
            found = [place for place, one in having if like_it is None or one.concerns(*like_it)]
            self._found[hook, like_it] = found
        return found


places_of = lru_cache(maxsize=64)(Places)
"""Cached for all sessions, because most have the same detectors and limits."""


class Watch(msgspec.Struct, frozen=True):
    """What one detector looks at, and how it is created in a session."""

    id: str
    looks_at: LooksAt
    make: Callable[[], Detector]
    exists: bool = False
    """It exists already, and may have state."""

    @classmethod
    def of(cls, detector: Detector) -> "Watch":
        """A detector that exists."""
        return cls(detector.id, LooksAt.of(type(detector)), lambda: detector, exists=True)


class Detectors(dict[int, Detector]):
    """The detectors of one session by their places in the list, each created on first access."""

    def __init__(self, watches: Sequence[Watch]) -> None:
        self._watches = watches
        self._saved: dict[str, dict[str, Any]] = {}

    def __missing__(self, place: int) -> Detector:
        watch = self._watches[place]
        made = watch.make()
        if watch.id in self._saved:
            made.load(self._saved[watch.id])
        self[place] = made
        return made

    def remember(self, place: int) -> bool:
        """Whether the detector at this place may have state."""
        watch = self._watches[place]
        return place in self or watch.exists or watch.id in self._saved

    def save(self) -> dict[str, dict[str, Any]]:
        """Their state, as plain data by id."""
        states = {
            watch.id: self[place].save() if place in self or watch.exists else self._saved.get(watch.id)
            for place, watch in enumerate(self._watches)
        }
        return {id: state for id, state in states.items() if state}

    def load(self, saved: dict[str, dict[str, Any]]) -> None:
        """Restore what `save` returned, before the first event."""
        for place, watch in enumerate(self._watches):
            if watch.exists:
                self[place].load(saved.get(watch.id, {}))
        self._saved = saved
