"""The command line that an agent's settings name."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

from headway.snapshots.git import found_program

GUARD = " || true"
"""Some agents refuse every call when a hook cannot be run; one that has been removed must not do that to anybody."""
OPTIONS = ("", " --interrupt")
"""What `headway install` may add to the command line."""


def hook_command(agent: str, *, shared: bool = False, options: str = "") -> str:
    """How an agent calls the hook. Settings that a team shares name no path of one machine."""
    guard = GUARD if shared or os.name != "nt" else ""
    return f"{'headway' if shared else quoted(str(program()))} hook --agent {agent}{options}{guard}"


def hook_arguments(agent: str, *, shared: bool = False, options: str = "") -> tuple[str, ...]:
    """The same as an argument list, to be run without a shell."""
    return ("headway" if shared else str(program()), "hook", "--agent", agent, *options.split())


def program() -> Path:
    """The installed `headway` this process belongs to, by the name under which the user finds it, if they do."""
    name = "headway.exe" if sys.platform == "win32" else "headway"
    beside = Path(sys.executable).parent / name
    on_path = found_program("headway")
    if on_path and (not beside.exists() or Path(on_path).resolve() == beside.resolve()):
        return Path(on_path)
    return beside


def quoted(word: str) -> str:
    """One word of a command line, as the shell of this platform reads it."""
    return subprocess.list2cmdline([word]) if os.name == "nt" else shlex.quote(word)
