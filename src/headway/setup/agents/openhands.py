"""OpenHands: `hooks.json`, in Claude Code's format or its own."""

import os
from pathlib import Path
from typing import Any

from headway.setup.agent import SAMPLE_OUTPUT, Agent, home_of
from headway.setup.change import commands_in
from headway.setup.command import PROCESS, SOCKET
from headway.setup.form import Form
from headway.setup.json_hooks import JsonHooks
from headway.setup.jsonc import NotJsonError, parse
from headway.setup.settings_file import SetupError

_HEAD, _TAIL = '{"hooks": ', "}"


class OpenHands(Agent):
    """It reads the project's file, and the user's file only if the project has none."""

    name = "openhands"
    title = "OpenHands"
    program = "openhands"
    ways = (PROCESS, SOCKET)
    user_folder = ".openhands"
    # Not SessionEnd: when a hook has answered it, the command line (1.16.0) fails and leaves its terminals running.
    events = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop")
    next_step = (
        "OpenHands reads one file: the project's .openhands/hooks.json, and yours only where a project has none. "
        "A program of your own passes it on: Conversation(…, hook_config=HookConfig.load(working_dir=…))."
    )

    def user_file(self) -> Path:
        """`~/.openhands/hooks.json`."""
        return home_of("OH_PERSISTENCE_DIR", ".openhands") / "hooks.json"

    def project_file(self, folder: Path) -> Path:
        """The project's `.openhands/hooks.json`."""
        return folder / ".openhands" / "hooks.json"

    def form(self, path: Path, command: str) -> Form:
        """In the spelling and at the place of the hooks that are already in the file."""
        return _HooksFile({event: self.entry(command) for event in self.events})

    def obstacles(self, path: Path) -> list[tuple[str, str]]:
        """A project's file replaces the user's."""
        here = self.project_file(Path.cwd())
        if path != self.user_file() or here == path or not here.exists() or self._has_ours(here):
            return []
        return [(f"OpenHands does not read it here, because {here} exists", "headway install openhands --project")]

    def _has_ours(self, path: Path) -> bool:
        try:
            return bool(commands_in(path, self.form(path, "")))
        except SetupError:
            return False

    def sample(self, number: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """Events have a type; calls have no ids."""
        call = {
            "session_id": "rehearsal",
            "working_dir": os.sep,
            "tool_name": "terminal",
            "tool_input": {"command": "cat notes.txt", "kind": "TerminalAction"},
        }
        seen = {"content": [{"type": "text", "text": SAMPLE_OUTPUT}], "is_error": False, "exit_code": 0}
        return {**call, "event_type": "PreToolUse"}, {**call, "event_type": "PostToolUse", "tool_response": seen}


class _HooksFile:
    """Hooks are under `hooks` or at the top level of the file, as `PreToolUse` or as `pre_tool_use`.

    OpenHands ignores hooks at the top level if there are `hooks` too, and fails if an event is spelled both ways.
    """

    def __init__(self, entries: dict[str, Any]) -> None:
        self.entries = entries

    def installed(self, text: str) -> str:
        """The text with our hooks added."""
        return _inside(text, self._form(_wrapped(text)).installed(_wrapped(text)))

    def removed(self, text: str, original: str | None) -> str | None:
        """The text without our hooks; None if there was no file before."""
        was = None if original is None else _wrapped(original)
        rest = self._form(_wrapped(text)).removed(_wrapped(text), was)
        return None if rest is None else _inside(text, rest)

    def commands(self, text: str) -> list[str]:
        """The command lines of our hooks in this text, without duplicates."""
        return JsonHooks({}).commands(_wrapped(text))

    def events(self, text: str) -> set[str]:
        """The events that have our hook, in OpenHands' own spelling."""
        found = JsonHooks({}).events(_wrapped(text))
        return {event for event in OpenHands.events if {event, _snake(event)} & found}

    def mentions(self, text: str) -> list[str]:
        """The command lines that mention our hook, without duplicates."""
        return JsonHooks({}).mentions(_wrapped(text))

    def _form(self, text: str) -> JsonHooks:
        there = _data(text).get("hooks")
        names = there.keys() if isinstance(there, dict) else set()
        spelled = any(name == _snake(event) for name in names for event in self.entries)
        return JsonHooks({_snake(e) if spelled and e not in names else e: entry for e, entry in self.entries.items()})


def _wrapped(text: str) -> str:
    """The text with its hooks under `hooks`."""
    is_bare = "hooks" not in (there := _data(text)) and any(_snake(name) in _FIELDS for name in there)
    return f"{_HEAD}{text}{_TAIL}" if is_bare else text


def _inside(text: str, changed: str) -> str:
    """The changed text without the wrapper, if it had been wrapped."""
    was_wrapped = _wrapped(text) is not text
    return changed[len(_HEAD) : -len(_TAIL)] if was_wrapped and changed.startswith(_HEAD) else changed


def _data(text: str) -> dict[str, Any]:
    try:
        data = parse(text).data if text.strip() else {}
    except NotJsonError:
        return {}
    return data if isinstance(data, dict) else {}


def _snake(event: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in event).lstrip("_")


_FIELDS = frozenset(map(_snake, (*OpenHands.events, "SessionEnd")))
