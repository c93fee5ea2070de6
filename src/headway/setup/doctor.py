"""Is Headway where it should be, and does it work? Every line comes from looking, none from hoping."""

import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from headway.config.find import find_settings
from headway.config.settings import SettingsError
from headway.reports.words import counted
from headway.setup.agent import Agent
from headway.setup.check import Check
from headway.setup.command import other_headway
from headway.setup.installed import Installed, look_at
from headway.setup.live.trial import try_live
from headway.setup.rehearsal import rehearse_line
from headway.store.errors import NewerDatabaseError
from headway.store.faults import NOT_UNDERSTOOD, read_faults
from headway.store.overview import list_sessions
from headway.store.place import database, state_folder
from headway.store.queue import waiting

_RESET_FIXED = (3, 51, 3)
_SHOWN_FAULTS = 3
"""How many of a kind, the latest ones."""


def examine(agents: Iterable[Agent], project: Path, *, named: bool, live: bool = False) -> Iterator[Check]:
    """Look at agents (those that were named must have the hook), and at Headway itself; `live` starts the agents."""
    found, by_name = False, False
    for agent in agents:
        seen = look_at(agent, project)
        found = found or seen.is_there
        by_name = by_name or seen.calls_by_name
        yield from _agent(seen, named=named)
        if live and seen.is_there:
            yield try_live(seen, project)
    if not named and not found:
        text = "no agent on this machine has the hook"
        yield Check(about="headway", result="problem", text=text, fix="headway install AGENT")
    yield from _on_path(by_name)
    yield from _settings(project)
    yield from _headway()


def _agent(seen: Installed, *, named: bool) -> Iterator[Check]:
    """Everything about one agent; little if it does not have the hook and nobody asked for it."""
    agent = seen.agent
    yield from seen.checks(must_work=named or seen.is_there)
    for line, path in seen.lines.items():
        yield from rehearse_line(agent, line, path)
    if seen.lines and not shutil.which(agent.program):
        yield Check(about=agent.name, result="note", text=f"there is no `{agent.program}` on your PATH")
    if named and not seen.is_there:
        text = f"{agent.title} does not have the hook"
        yield Check(about=agent.name, result="problem", text=text, fix=f"headway install {agent.name}")


def _on_path(by_name: bool) -> Iterator[Check]:
    """Whether the `headway` that a shell would find is another program, or another Headway."""
    other = other_headway()
    if other is None:
        return
    path, is_headway = other
    if is_headway:
        text = f"the `headway` on your PATH is {path}, another installation than the one that runs now"
        yield Check(about="headway", result="note", text=text, fix="remove one of the two")
    else:
        text = f"the `headway` on your PATH, {path}, is another project's program"
        fix = "remove it, or put the folder of ours before its folder in PATH; ours is the package headway-agents"
        yield Check(about="headway", result="problem" if by_name else "note", text=text, fix=fix)


def _settings(project: Path) -> Iterator[Check]:
    """Mistakes in Headway's own settings: with one of them the hook falls back on the packaged ones."""
    try:
        find_settings(folder=project)
    except (SettingsError, OSError) as error:
        text = f"Headway's settings have a mistake, so the packaged ones hold: {error}"
        yield Check(about="headway", result="problem", text=text, fix="correct it; `headway config` shows what holds")


def _headway() -> Iterator[Check]:
    folder = Path(state_folder())
    nearest = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if nearest == folder and os.name != "nt" and folder.stat().st_uid != os.getuid():
        fix = "name a folder of your own with HEADWAY_STATE_DIR"
        yield Check(about="headway", result="problem", text=f"{folder} belongs to somebody else", fix=fix)
    elif nearest.is_dir() and os.access(nearest, os.W_OK):
        yield Check(about="headway", result="ok", text=f"the memory of live sessions is in {folder}")
    else:
        fix = "make it writable, or name another folder with HEADWAY_STATE_DIR"
        yield Check(about="headway", result="problem", text=f"{nearest} cannot be written", fix=fix)
    yield from _database()
    yield from _faults(read_faults())


def _faults(lines: list[str]) -> Iterator[Check]:
    if not lines:
        yield Check(about="headway", result="ok", text="no faults have been noted")
    for fault in [line for line in lines if NOT_UNDERSTOOD not in line][-_SHOWN_FAULTS:]:
        yield Check(about="headway", result="note", text=f"a fault that no agent noticed: {fault}")
    for event in [line for line in lines if NOT_UNDERSTOOD in line][-_SHOWN_FAULTS:]:
        fix = "if the agent is newer than Headway, a newer Headway may understand it; otherwise please report it"
        yield Check(about="headway", result="note", text=f"passed over: {event}", fix=fix)


def _database() -> Iterator[Check]:
    try:
        known = len(list_sessions())
    except NewerDatabaseError as error:
        yield Check(about="headway", result="problem", text=f"{database()}: {error}")
    except sqlite3.Error as error:
        fix = "it is put aside and begun anew by the next hook; if not, remove it"
        yield Check(about="headway", result="problem", text=f"{database()}: {error}", fix=fix)
    else:
        yield Check(about="headway", result="ok", text=f"remembers {counted(known, 'session')}")
    if late := len(waiting()):
        text = f"{counted(late, 'event')} had to wait for the database; the next call of the hook takes them in"
        yield Check(about="headway", result="note", text=text)
    version = sqlite3.sqlite_version
    if sqlite3.sqlite_version_info >= _RESET_FIXED:
        yield Check(about="headway", result="ok", text=f"SQLite {version}")
    else:
        text = (
            f"SQLite {version}: it has a fault that was fixed in 3.51.3, but only in a mode that Headway does not use"
        )
        yield Check(about="headway", result="ok", text=text)
