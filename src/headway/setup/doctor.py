"""Is Headway where it should be, and does it work? Every line comes from looking, none from hoping."""

import os
import shlex
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from headway.reports.words import counted
from headway.setup.agent import Agent
from headway.setup.change import commands_in, installing, mentions_in
from headway.setup.check import Check
from headway.setup.command import GUARD
from headway.setup.form import Form, is_ours
from headway.setup.rehearsal import rehearse
from headway.setup.settings_file import SetupError
from headway.snapshots.git import found_program
from headway.store.errors import NewerDatabaseError
from headway.store.faults import NOT_UNDERSTOOD, read_faults
from headway.store.overview import list_sessions
from headway.store.place import database, state_folder
from headway.store.queue import waiting

_RESET_FIXED = (3, 51, 3)
_SHOWN_FAULTS = 3
"""How many of a kind, the latest ones."""


def examine(agents: Iterable[Agent], project: Path, *, named: bool) -> Iterator[Check]:
    """Look at agents (those that were named must have the hook), and at Headway itself."""
    found = False
    for agent in agents:
        checks = list(_agent(agent, project))
        found = found or bool(checks)
        yield from checks
        if named and not checks:
            text = f"{agent.title} does not have the hook"
            yield Check(about=agent.name, result="problem", text=text, fix=f"headway install {agent.name}")
    if not named and not found:
        text = "no agent on this machine has the hook"
        yield Check(about="headway", result="problem", text=text, fix="headway install AGENT")
    yield from _headway()


def _agent(agent: Agent, project: Path) -> Iterator[Check]:
    """Everything about one agent; nothing if it does not have the hook."""
    scopes = [place for scope in (None, project) for place in agent.places(scope)]
    places = dict(reversed(scopes))  # where both are one file, it is the user's
    lines: dict[str, Path] = {}
    where: list[str] = []
    for path, form in places.items():
        try:
            ours, spoken_of = commands_in(path, form), mentions_in(path, form)
            checks = list(_settings(agent, path, form, ours)) if ours else []
        except SetupError as error:
            yield Check(about=agent.name, result="note", text=str(error))
            continue
        yield from checks
        lines |= dict.fromkeys(filter(agent.runs_here, spoken_of), path)
        where += [str(path)] if ours else []
    if len(where) > 1:
        text = f"it is heard twice, through {' and '.join(where)}; Headway notices that, but one of them is enough"
        yield Check(about=agent.name, result="note", text=text)
    for line, path in lines.items():
        yield from _line(agent, line, path)
    if lines and not shutil.which(agent.program):
        yield Check(about=agent.name, result="note", text=f"there is no `{agent.program}` on your PATH")


def _settings(agent: Agent, path: Path, form: Form, commands: list[str]) -> Iterator[Check]:
    yield Check(about=agent.name, result="ok", text=f"the hook is in {path}")
    yield from (
        Check(about=agent.name, result="problem", text=f"{path}: {text}", fix=fix)
        for text, fix in agent.obstacles(path)
    )
    interrupting = [command for command in commands if "--interrupt" in command]
    wanted = agent.form(path, interrupting[0]) if interrupting else form
    try:
        outdated = installing(path, wanted).is_needed
    except SetupError:  # it is outdated, and cannot be written either
        outdated = True
    if outdated:
        text = f"{path} was written by another Headway than the one that runs now"
        yield Check(
            about=agent.name, result="note", text=text, fix=f"headway install {agent.name}, to bring it up to date"
        )


def _line(agent: Agent, line: str, path: Path) -> Iterator[Check]:
    """What is to be said of a command line in settings: ours is rehearsed, any other is shown."""
    arguments = agent.own_lines(path).get(line)
    program = _program_in(line) if arguments is None else arguments[0]
    found = found_program(program)
    if program and not found:
        text = f"the settings call {program}, which is not there or cannot be run"
        yield Check(about=agent.name, result="problem", text=text, fix=f"headway install {agent.name}")
    if arguments is None:
        text = f"not run, because this Headway did not write it: `{line}` in {path}"
        then = f"`headway install {agent.name}` puts ours in its place" if is_ours(line) else "Headway leaves it alone"
        fix = f"read it before {agent.title} runs it; {then}"
        yield Check(about=agent.name, result="note", text=text, fix=fix)
    elif found:
        yield rehearse(agent, (found, *arguments[1:]))


def _program_in(line: str) -> str:
    """The Headway that a command line names; nothing if it is more than one plain command."""
    try:
        words = shlex.split(line.removesuffix(GUARD))
    except ValueError:  # an open quote
        return ""
    return words[0] if words[1:2] == ["hook"] else ""


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
            f"SQLite {version}: before 3.51.3 a write-ahead log can be damaged by several writers; Headway keeps none"
        )
        yield Check(about="headway", result="ok", text=text)
