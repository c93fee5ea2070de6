"""Copilot CLI: a file of our own in its folder of hooks."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headway.setup.agent import SAMPLE, SAMPLE_OUTPUT, TIMEOUT, Agent, at_second, home_of
from headway.setup.command import GUARD
from headway.setup.form import Form
from headway.setup.json_hooks import is_our_handler
from headway.setup.live.start import COMMAND, KEY, PROMPT, Start
from headway.setup.own_file import OwnFile


class Copilot(Agent):
    """If a hook fails, Copilot refuses the agent's call, so the command line always succeeds."""

    name = "copilot"
    title = "Copilot CLI"
    program = "copilot"
    user_folder = ".copilot/hooks"
    events = (
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PreCompact", "Stop",
        "SessionEnd",
    )  # fmt: skip

    def user_file(self) -> Path:
        """`~/.copilot/hooks/headway.json`."""
        return home_of("COPILOT_HOME", ".copilot") / "hooks" / "headway.json"

    def project_file(self, folder: Path) -> Path:
        """The project's `.github/hooks/headway.json`."""
        return folder / ".github" / "hooks" / "headway.json"

    def form(self, path: Path, command: str) -> Form:
        """The whole file is ours."""
        hooks = {event: [self.entry(command)] for event in self.events}
        return OwnFile(json.dumps({"version": 1, "hooks": hooks}, indent=2, ensure_ascii=False) + "\n", _is_made)

    def runs_here(self, command: str) -> bool:
        """Not the command line for the other kind of shell."""
        return command.startswith("&") == (os.name == "nt")

    def start(self, plugin: Mapping[str, Any], *, trusted: bool) -> Start | None:
        """One prompt, without a terminal."""
        return Start(
            ("-p", PROMPT, "--allow-all-tools"),
            tool="bash",
            call={"command": COMMAND, "description": "look", "mode": "sync", "initial_wait": 30},
            environment={
                "COPILOT_OFFLINE": "true",
                "COPILOT_PROVIDER_BASE_URL": "{url}/v1",
                "COPILOT_MODEL": KEY,
                "COPILOT_AUTO_UPDATE": "false",
            },
        )

    def sample(self, number: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """Calls have no ids, but every event has a time."""
        call = {**SAMPLE, "session_id": "rehearsal", "cwd": os.sep}
        before = {**call, "hook_event_name": "PreToolUse", "timestamp": at_second(2 * number)}
        result = {"result_type": "success", "text_result_for_llm": SAMPLE_OUTPUT}
        after = {"tool_result": result, "timestamp": at_second(2 * number + 1)}
        return before, {**call, "hook_event_name": "PostToolUse", **after}

    def entry(self, command: str) -> dict[str, Any]:
        """A handler with a command line for each kind of shell."""
        return {
            "type": "command",
            "bash": command.removesuffix(GUARD) + GUARD,
            "powershell": f"& {command.removesuffix(GUARD)}; exit 0",
            "timeoutSec": TIMEOUT,
        }


def _is_made(text: str) -> bool:
    """Whether a file contains our handlers and nothing else."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return False
    hooks = data.get("hooks") if isinstance(data, dict) and set(data) == {"version", "hooks"} else None
    entries = list(hooks.values()) if isinstance(hooks, dict) else [None]
    return all(isinstance(entry, list) and all(map(is_our_handler, entry)) for entry in entries)
