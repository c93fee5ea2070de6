"""Agents whose hook is a plugin: one JavaScript file of ours in a folder from which the agent loads all files."""

import json
import os
import re
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar

from headway.setup.agent import SAMPLE, SAMPLE_OUTPUT, Agent, home_of
from headway.setup.command import GUARD
from headway.setup.form import Form
from headway.setup.own_file import OwnFile

_COMMAND = re.compile(r'"headway hook --agent \w+"')


class PluginAgent(Agent):
    """Base class of agents whose hook is a plugin."""

    events = ()
    home: ClassVar[tuple[str, str]]
    """The variable that names the agent's folder, and the default folder below the user's home."""
    user_plugins: ClassVar[str]
    """The plugin folder in there."""
    project_plugins: ClassVar[str]
    """The plugin folder in a project."""
    script: ClassVar[str]
    """The file with the agent's part of the plugin."""
    before: ClassVar[str]
    """The plugin's name of the event before a call."""
    after: ClassVar[str]
    shell: ClassVar[str] = "bash"
    """The agent's tool that runs commands."""

    def user_file(self) -> Path:
        """The plugin for all projects of the user."""
        return home_of(*self.home) / self.user_plugins / "headway.js"

    def project_file(self, folder: Path) -> Path:
        """The plugin for one project."""
        return folder / self.project_plugins / "headway.js"

    def form(self, path: Path, command: str) -> Form:
        """The packaged plugin with the command line filled in."""
        head = (
            f"// Headway's plugin for {self.title}: hands each event to `headway hook` and does what it answers.\n"
            f"// Written by `headway install {self.name}`, removed by `headway uninstall {self.name}`."
        )
        plugins = files("headway.setup").joinpath("plugins")
        texts = (plugins.joinpath(part).read_text(encoding="utf-8") for part in ("ask.js", self.script))
        body = "\n".join(text.partition("\n\n")[2] for text in texts)  # without the comment at the top
        line = json.dumps(command.removesuffix(GUARD), ensure_ascii=False)
        named = body.replace("opencode_event", f"{self.name}_event")  # if an agent shares OpenCode's plugin
        content = f"{head}\n\n{_COMMAND.sub(lambda _: line, named)}"
        return OwnFile(content, lambda text: text.startswith(f"{head}\n"))

    def sample(self, number: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """In the plugin's format."""
        call = {"sessionID": "rehearsal", "directory": os.sep, "callID": f"call-{number}", "tool": self.shell}
        call["args"] = SAMPLE["tool_input"]
        result = {**call, f"{self.name}_event": self.after, "output": {"output": SAMPLE_OUTPUT}}
        return {**call, f"{self.name}_event": self.before}, result
