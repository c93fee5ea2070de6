"""Loads the monitor of a live session, with the current settings."""

import sys
from contextlib import nullcontext

from msgspec.structs import replace

from headway.config.settings import Settings, SettingsError
from headway.hosts.hook.event import HookEvent
from headway.monitor import Monitor, SavedStateError
from headway.store.answers import ALLOW, MUTE, Answer
from headway.store.sessions import Row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Any


def monitor_of(row: Row, hook_event: HookEvent, settings_mark: str, answers: "Sequence[Answer]" = ()) -> Monitor:
    """The session's monitor; a new one if another version of Headway left one that cannot be read."""
    live: Monitor | None = row.live
    if live is not None and row.settings_mark == settings_mark:
        return live
    saved = row.monitor if live is None else live.save(content=False)
    if saved is not None:
        try:
            settings = None if row.settings_mark == settings_mark else _settings(hook_event, answers)
            return Monitor.load(saved, settings=settings)
        except (SavedStateError, SettingsError) as error:
            from headway.store.faults import note_fault

            note_fault("saved session", error)
    return Monitor(run=hook_event.session, agent=hook_event.agent, settings=_settings(hook_event, answers))


def _settings(hook_event: HookEvent, answers: "Sequence[Answer]") -> Settings:
    """The settings that apply to an event, with the answers that people gave in its folder."""
    settings = _found_settings(hook_event.cwd, hook_event.settings)
    if not answers:
        return settings
    policy = settings.policy
    muted = tuple(one.subject for one in answers if one.kind == MUTE)
    allowed = tuple(int(one.subject) for one in answers if one.kind == ALLOW)
    policy = replace(policy, muted=(*policy.muted, *muted), allowed=(*policy.allowed, *allowed))
    return replace(settings, policy=policy)


def _found_settings(folder: str, given: "Mapping[str, Any]") -> Settings:
    """The settings that apply in a folder; those that the program passes itself outrank them.

    If the project's file has a mistake, the user's own settings apply, because they may set limits.
    """
    from pathlib import Path

    from headway.config.find import find_settings

    for place in (Path(folder or "."), Path(Path.home().anchor)):
        try:
            return find_settings(folder=place, given=given).settings
        except (SettingsError, OSError) as error:
            from headway.store.faults import note_fault

            note_fault("settings", error)
    return Settings()


def faults_noted() -> "AbstractContextManager[None]":
    """Write faults of plug-ins to the fault log inside the block. Without plug-ins, `logging` is not imported."""
    if "logging" not in sys.modules:
        return nullcontext()
    from headway.store.fault_lines import faults_told

    return faults_told(_note_once)


def _note_once(line: str) -> None:
    from headway.rolling.secrets import mask
    from headway.store.faults import note_once

    what, _, why = mask(line).partition(": ")
    note_once(what, why)
