"""The command line that an agent's settings name."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from headway.policy.ladder import MODES
from headway.snapshots.git import found_program

GUARD = " || true"
"""Some agents refuse every call if a hook fails, so the command must not fail after Headway was removed."""
OPTIONS = tuple(
    f"{mode}{more}" for mode in ("", *(f" --mode {mode}" for mode in MODES)) for more in ("", " --interrupt")
)
"""Options that `headway install` may add to the command line."""
_MODE = re.compile(rf" --mode ({'|'.join(MODES)})\b")
_SCRIPT = 200_000
"""Number of bytes of a program to inspect. On Windows the script is at the end of a small executable."""


def hook_command(agent: str, *, shared: bool = False, options: str = "") -> str:
    """The command line of the hook. Shared settings contain no path."""
    guard = GUARD if shared or os.name != "nt" else ""
    return f"{'headway' if shared else quoted(str(program()))} hook --agent {agent}{options}{guard}"


def status_line_command(*, shared: bool = False) -> str:
    """The command line of Claude Code's status line."""
    return f"{'headway' if shared else quoted(str(program()))} statusline"


def hook_arguments(agent: str, *, shared: bool = False, options: str = "") -> tuple[str, ...]:
    """The same as an argument list, to be run without a shell."""
    return ("headway" if shared else str(program()), "hook", "--agent", agent, *options.split())


def mode_in(line: str) -> str:
    """The mode that a command line of the hook names; empty if it names none."""
    found = _MODE.search(line)
    return found[1] if found else ""


def program() -> Path:
    """The installed `headway` of this process, by its name on the PATH if possible."""
    beside = _beside()
    on_path = found_program("headway")
    if on_path and (not beside.exists() or Path(on_path).resolve() == beside.resolve()):
        return Path(on_path)
    return beside


def other_headway() -> tuple[str, bool] | None:
    """The `headway` on the PATH, if it is not this one, and whether it is a Headway.

    The file is inspected, not run: the script that pip creates names the module it calls.
    """
    on_path = found_program("headway")
    if on_path is None or not (beside := _beside()).exists() or Path(on_path).resolve() == beside.resolve():
        return None
    try:
        with Path(on_path).open("rb") as script:
            return on_path, b"headway.cli" in script.read(_SCRIPT)
    except OSError:
        return on_path, False


def _beside() -> Path:
    return Path(sys.executable).parent / ("headway.exe" if sys.platform == "win32" else "headway")


def quoted(word: str) -> str:
    """One word of a command line, as the shell of this platform reads it."""
    return subprocess.list2cmdline([word]) if os.name == "nt" else shlex.quote(word)
