"""Check whether Headway is installed and works."""

import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

from headway.config.find import find_settings
from headway.config.settings import SettingsError
from headway.policy import Mode
from headway.reports.words import counted
from headway.setup.agent import Agent
from headway.setup.check import Check, Result
from headway.setup.command import mode_in, other_headway, running_service
from headway.setup.installed import Installed, look_at
from headway.setup.live.trial import try_live
from headway.setup.rehearsal import rehearse_line
from headway.setup.service_unit import is_service_installed, unit_of
from headway.store.errors import NewerDatabaseError
from headway.store.faults import NOT_UNDERSTOOD, read_faults
from headway.store.outgoing import outgoing_counts
from headway.store.overview import list_sessions
from headway.store.place import database, state_folder
from headway.store.queue import waiting

_RESET_FIXED = (3, 51, 3)
_MAX_FAULTS_SHOWN = 3
_USUAL_MODE: Mode = "nudge"
"""What a hook does that was installed without `--mode`."""


def examine(agents: Iterable[Agent], project: Path, *, named: bool, live: bool = False) -> Iterator[Check]:
    """Check agents (named ones must have the hook) and Headway itself; `live` starts the agents."""
    found, by_name = False, False
    for agent in agents:
        seen = look_at(agent, project)
        found = found or seen.is_there
        by_name = by_name or seen.calls_by_name
        yield from _agent(seen, named=named)
        if seen.is_there:
            yield from _mode(seen, project)
        if live and seen.is_there:
            yield try_live(seen, project)
    if not named and not found:
        text = "no agent on this machine has the hook"
        yield Check(about="headway", result="problem", text=text, fix="headway install AGENT")
    yield from _on_path(by_name)
    yield from _settings(project)
    yield from _headway()


def _agent(seen: Installed, *, named: bool) -> Iterator[Check]:
    """All checks of one agent; few if it does not have the hook and was not named."""
    agent = seen.agent
    yield from seen.checks(must_work=named or seen.is_there)
    for line, path in seen.lines.items():
        yield from rehearse_line(agent, line, path)
    if seen.lines and not shutil.which(agent.program):
        yield Check(about=agent.name, result="note", text=f"`{agent.program}` is not on your PATH")
    if named and not seen.is_there:
        text = f"{agent.title} does not have the hook"
        yield Check(about=agent.name, result="problem", text=text, fix=f"headway install {agent.name}")


def _mode(seen: Installed, project: Path) -> Iterator[Check]:
    """The mode in this folder: the setting `policy.mode`, or else the option that the hook was installed with."""
    installed = " and ".join(sorted({mode_in(line) or _USUAL_MODE for line in seen.lines}))
    try:
        found = find_settings(folder=project)
    except (SettingsError, OSError):
        return  # reported by the check of the settings
    outranking = found.settings.policy.mode
    if outranking in (None, installed):
        yield Check(about=seen.agent.name, result="ok", text=f"mode: {installed}")
    elif installed:
        place = f"policy.mode ({found.origins['policy.mode']})"
        text = f"mode: {outranking} in this folder, set by {place}; the hook was installed with {installed}"
        yield Check(about=seen.agent.name, result="note", text=text)


def _on_path(by_name: bool) -> Iterator[Check]:
    """Whether the `headway` on the PATH is another program or another installation."""
    other = other_headway()
    if other is None:
        return
    path, is_headway = other
    if is_headway:
        text = f"the `headway` on your PATH is {path}, a different installation than the one that is running"
        yield Check(about="headway", result="note", text=text, fix="remove one of the two")
    else:
        text = f"the `headway` on your PATH, {path}, belongs to another project"
        fix = "remove it, or put Headway's folder before it in PATH; Headway is the package headway-agents"
        yield Check(about="headway", result="problem" if by_name else "note", text=text, fix=fix)


def _settings(project: Path) -> Iterator[Check]:
    """Check Headway's own settings. With a mistake, the hook ignores the project's file or uses the defaults."""
    try:
        find_settings(folder=project)
    except (SettingsError, OSError) as error:
        used = "the defaults are used" if _is_invalid(Path(project.anchor)) else "the hook ignores the project's file"
        text = f"Headway's settings are invalid, so {used}: {error}"
        yield Check(
            about="headway",
            result="problem",
            text=text,
            fix="correct it; then `headway config` shows the effective settings",
        )


def _is_invalid(folder: Path) -> bool:
    try:
        find_settings(folder=folder)
    except (SettingsError, OSError):
        return True
    return False


def _headway() -> Iterator[Check]:
    folder = Path(state_folder())
    nearest = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if nearest == folder and os.name != "nt" and folder.stat().st_uid != os.getuid():
        fix = "set HEADWAY_STATE_DIR to a folder of your own"
        yield Check(about="headway", result="problem", text=f"{folder} belongs to another user", fix=fix)
    elif nearest.is_dir() and os.access(nearest, os.W_OK):
        yield Check(about="headway", result="ok", text=f"live sessions are stored in {folder}")
    else:
        fix = "make it writable, or set HEADWAY_STATE_DIR to another folder"
        yield Check(about="headway", result="problem", text=f"{nearest} cannot be written", fix=fix)
    yield from _database()
    yield from _service()
    yield from _faults(read_faults())


def _faults(lines: list[str]) -> Iterator[Check]:
    if not lines:
        yield Check(about="headway", result="ok", text="no faults logged")
    for fault in [line for line in lines if NOT_UNDERSTOOD not in line][-_MAX_FAULTS_SHOWN:]:
        yield Check(about="headway", result="note", text=f"fault: {fault}")
    for event in [line for line in lines if NOT_UNDERSTOOD in line][-_MAX_FAULTS_SHOWN:]:
        fix = "if the agent is newer than Headway, update Headway; otherwise please report it"
        yield Check(about="headway", result="note", text=f"event ignored: {event}", fix=fix)


def _service() -> Iterator[Check]:
    """Whether `headway serve` runs, if it is installed or has run before, and whether it is this Headway."""
    running = running_service()
    if running is None:
        if is_service_installed():
            unit = unit_of()
            text = "the service is installed but not running, so hooks do the work themselves"
            yield Check(about="headway", result="note", text=text, fix=unit.enable)
        return
    url, theirs = running
    ours = version("headway-agents")
    if theirs == ours:
        yield Check(about="headway", result="ok", text=f"the service runs at {url}")
    else:
        text = f"the service at {url} is Headway {theirs}, and this is {ours}"
        yield Check(about="headway", result="note", text=text, fix="end `headway serve` and start it again")


def _database() -> Iterator[Check]:
    try:
        known = len(list_sessions())
    except NewerDatabaseError as error:
        yield Check(about="headway", result="problem", text=f"{database()}: {error}")
    except sqlite3.Error as error:
        fix = "the next hook moves it aside and starts a new one; if not, delete it"
        yield Check(about="headway", result="problem", text=f"{database()}: {error}", fix=fix)
    else:
        yield Check(about="headway", result="ok", text=f"{counted(known, 'session')} stored")
    if late := len(waiting()):
        text = f"{counted(late, 'event')} waited for the database; the next call of the hook processes them"
        yield Check(about="headway", result="note", text=text)
    yield from _forwarding()
    version = sqlite3.sqlite_version
    if sqlite3.sqlite_version_info >= _RESET_FIXED:
        yield Check(about="headway", result="ok", text=f"SQLite {version}")
    else:
        text = f"SQLite {version}: it has a bug that was fixed in 3.51.3, but Headway does not use the affected mode"
        yield Check(about="headway", result="ok", text=text)


def _forwarding() -> Iterator[Check]:
    """The queue of events for other machines."""
    try:
        counts = outgoing_counts()
    except sqlite3.Error:  # already reported by the check of the database
        return
    if counts is not None and counts.is_used:
        fix = "check that `headway forward` runs and reaches Kafka, or set forward.queue_mb higher"
        result: Result = "note" if counts.dropped else "ok"
        yield Check(about="headway", result=result, text=counts.as_text(), fix=fix if counts.dropped else "")
