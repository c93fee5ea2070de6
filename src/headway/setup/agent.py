"""One agent program: where its settings are, and what Headway's hooks look like in them."""

import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from headway.setup.check import Result
from headway.setup.command import OPTIONS, PROCESS, SOCKET, hook_arguments, hook_command
from headway.setup.form import Form
from headway.setup.json_hooks import JsonHooks
from headway.setup.layers import Layer
from headway.setup.live.start import Start

TIMEOUT = 10
"""Timeout of the hook in seconds. It usually answers within milliseconds."""

SAMPLE: Mapping[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "cat notes.txt"}}
SAMPLE_OUTPUT = "nothing new here"


class Plugin(NamedTuple):
    """A plugin called `headway` that a settings file enables."""

    name: str
    """With its marketplace: `headway@MARKETPLACE`."""
    settings: Path
    """The file that enables it."""
    result: Result
    text: str
    """What is wrong with it, if anything."""
    fix: str = ""
    files: Mapping[str, Any] = {}
    """The files of the plugin, if it is known to be Headway's; otherwise empty."""


class Agent(ABC):
    """Base class of the agent programs in `agents/`."""

    name: ClassVar[str]
    title: ClassVar[str]
    program: ClassVar[str]
    """The command that starts the agent, to check whether it is installed."""
    events: ClassVar[tuple[str, ...]]
    new_file: ClassVar[Mapping[str, Any]] = {}
    """What a new settings file contains besides the hooks."""
    next_step: ClassVar[str] = ""
    """What the user has to do next."""
    oldest: ClassVar[str] = ""
    """The first version that has all events of the hook, if older ones are still in use."""
    user_folder: ClassVar[str] = ""
    """The folder of user settings if no environment variable is set."""

    skips_broken_files: ClassVar[bool] = False
    """Whether it still reads its other settings files if one is broken."""

    @abstractmethod
    def user_file(self) -> Path:
        """The settings of this user."""

    @abstractmethod
    def project_file(self, folder: Path) -> Path:
        """The settings of a project, which a team may share."""

    def form(self, path: Path, command: str) -> Form:
        """How hooks are written in that file."""
        return JsonHooks({event: self.entry(command) for event in self.events}, self.new_file)

    def entry(self, command: str) -> dict[str, Any]:
        """Our entry under an event: in most agents a group with one handler."""
        return {"hooks": [{"type": "command", "command": command, "timeout": TIMEOUT}]}

    ways: ClassVar[tuple[str, ...]] = (PROCESS,)
    """How its events can reach Headway."""

    def place(self, project: Path | None, options: str = "", via: str = PROCESS) -> tuple[Path, Form]:
        """The file to edit for this user, or for a project, and how; `options` are for the hook."""
        path = self.user_file() if project is None else self.project_file(project)
        return path, self.form(path, hook_command(self.name, shared=project is not None, options=options, via=via))

    def places(self, project: Path | None) -> list[tuple[Path, Form]]:
        """Every file that may contain Headway's hooks; most agents have one."""
        return [self.place(project)]

    def server_place(self, project: Path | None) -> tuple[Path, Form] | None:
        """The file with the MCP servers of this user, or of a project, and how Headway's is written there.

        None if Headway cannot add one to this agent.
        """
        return None

    def own_lines(self, path: Path) -> dict[str, tuple[str, ...]]:
        """The command lines that this Headway writes into such a file, each as arguments to run without a shell."""
        lines: dict[str, tuple[str, ...]] = {}
        for shared, via in ((False, PROCESS), (True, PROCESS), (False, SOCKET)):
            for options in OPTIONS:
                form = self.form(path, hook_command(self.name, shared=shared, options=options, via=via))
                arguments = hook_arguments(self.name, shared=shared, options=options, via=via)
                lines |= dict.fromkeys(form.commands(form.installed("")), arguments)
        return lines

    def runs_here(self, command: str) -> bool:
        """Whether the agent runs this command line of ours on this platform."""
        return True

    def obstacles(self, path: Path) -> list[tuple[str, str]]:
        """What keeps the agent from running the hooks in this file, and the fix."""
        return []

    def why_ignored(self, text: str) -> str:
        """Why the agent ignores a whole settings file with this text; empty if it does not."""
        return ""

    def layers(self, project: Path) -> list[Path]:
        """Every JSON file that may disable hooks, lowest priority first."""
        return []

    def switches(self, layers: Sequence[Layer]) -> list[tuple[str, str]]:
        """What keeps the agent from running any of Headway's hooks, and the fix."""
        return []

    def plugin(self, layers: Sequence[Layer]) -> Plugin | None:
        """The enabled plugin with Headway's hooks, if the agent has plugins."""
        return None

    def start(self, plugin: Mapping[str, Any], *, trusted: bool) -> Start | None:
        """How to start the program offline, to check whether it calls the hook; None if unknown.

        `plugin` has the files of Headway's plugin, if installed; `trusted` says that the user trusts the hooks.
        """
        return None

    def sample(self, number: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """An invented call and its result in the agent's format, to check the hook."""
        call = {**SAMPLE, "session_id": "rehearsal", "cwd": os.sep, "tool_use_id": f"call-{number}"}
        before = {**call, "hook_event_name": "PreToolUse"}
        return before, {**call, "hook_event_name": "PostToolUse", "tool_response": {"stdout": SAMPLE_OUTPUT}}


def at_second(number: int) -> str:
    """A timestamp for the samples of agents without call ids."""
    return f"2026-01-01T00:00:{number:02}.000Z"


def home_of(variable: str, folder: str) -> Path:
    """An agent's folder: from its environment variable, or in the home folder."""
    given = os.environ.get(variable)
    return Path(given).expanduser() if given else Path.home() / folder


def system_layers(variable: str, folder: str, user: Path, project: Path) -> list[Path]:
    """The files that Gemini CLI and Qwen Code merge, lowest priority first."""
    elsewhere = {"darwin": Path("/Library/Application Support", folder.title().replace("-", ""))}
    elsewhere["win32"] = Path("C:/ProgramData", folder)
    place = elsewhere.get(sys.platform, Path("/etc", folder))
    defaults = os.environ.get(f"{variable}_SYSTEM_DEFAULTS_PATH") or place / "system-defaults.json"
    system = os.environ.get(f"{variable}_SYSTEM_SETTINGS_PATH") or place / "settings.json"
    return [Path(defaults), user, project, Path(system)]
