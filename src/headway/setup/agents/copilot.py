"""Copilot CLI: a file of our own among its hooks."""

import json
from pathlib import Path
from typing import Any

from headway.setup.agent import TIMEOUT, Agent, home_of
from headway.setup.form import Form
from headway.setup.own_file import OwnFile


class Copilot(Agent):
    """A hook that ends with an error would refuse the agent's call here, so the command line always ends well."""

    name = "copilot"
    title = "Copilot CLI"
    program = "copilot"
    events = (
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "PreCompact",
        "Stop",
        "SessionEnd",
    )

    def user_file(self) -> Path:
        """`~/.copilot/hooks/headway.json`."""
        return home_of("COPILOT_HOME", ".copilot") / "hooks" / "headway.json"

    def project_file(self, folder: Path) -> Path:
        """The project's `.github/hooks/headway.json`."""
        return folder / ".github" / "hooks" / "headway.json"

    def form(self, path: Path, command: str) -> Form:
        """The whole file is ours."""
        hooks = {event: [self.entry(command)] for event in self.events}
        return OwnFile(json.dumps({"version": 1, "hooks": hooks}, indent=2, ensure_ascii=False) + "\n")

    def entry(self, command: str) -> dict[str, Any]:
        """A handler, once for each kind of shell."""
        return {
            "type": "command",
            "bash": f"{command} || true",
            "powershell": f"& {command}; exit 0",
            "timeoutSec": TIMEOUT,
        }
