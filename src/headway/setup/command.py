"""The command line that an agent's settings name."""

import json
import os
import re
import shlex
import socket
import subprocess
import sys
from pathlib import Path
from typing import get_args
from urllib.parse import urlsplit

from headway.policy import Mode
from headway.snapshots.git import find_program
from headway.store.place import service_record

GUARD = " || true"
"""Some agents refuse every call if a hook fails, so the command must not fail after Headway was removed."""
OPTIONS = tuple(
    f"{mode}{more}" for mode in ("", *(f" --mode {mode}" for mode in get_args(Mode))) for more in ("", " --interrupt")
)
"""Options that `headway install` may add to the command line."""
PROCESS, SOCKET, HTTP = WAYS = ("process", "socket", "http")
"""How an event reaches Headway: a process of its own, or the service, through its socket or over HTTP."""
SERVICE_PORT = 4319
"""The port of the service, unless `headway serve --port` names another."""
TOKEN_NAME = "HEADWAY_TOKEN"  # noqa: S105, the name of an environment variable
CLIENT = Path(__file__).parent.parent / "hosts" / "hook" / "client.py"
CLIENT_NAME = "/headway/hosts/hook/client.py"
_MODE = re.compile(rf"(?: --|\?)mode[ =]({'|'.join(get_args(Mode))})\b")
_SCRIPT = 200_000
"""Number of bytes of a program to inspect. On Windows the script is at the end of a small executable."""


def hook_command(agent: str, *, shared: bool = False, options: str = "", via: str = PROCESS) -> str:
    """The command line of the hook. Shared settings contain no path."""
    guard = GUARD if shared or os.name != "nt" else ""
    words = hook_arguments(agent, shared=shared, via=via)
    return f"{' '.join(map(quoted, words))}{options}{guard}"


def status_line_command(*, shared: bool = False) -> str:
    """The command line of Claude Code's status line."""
    return f"{'headway' if shared else quoted(str(program()))} statusline"


def hook_arguments(agent: str, *, shared: bool = False, options: str = "", via: str = PROCESS) -> tuple[str, ...]:
    """The same as an argument list, to be run without a shell."""
    hook = ("headway" if shared else str(program()), "hook")
    client = (sys.executable, "-I", "-S", str(CLIENT))
    return (*(client if via == SOCKET else hook), "--agent", agent, *options.split())


def hook_address(agent: str, port: int, mode: str) -> str:
    """The address of the hook in the service, for agents that send events over HTTP."""
    return f"http://127.0.0.1:{port}/hook/{agent}{f'?mode={mode}' if mode else ''}"


def service_port() -> int:
    """The port of the service that ran last, or the usual one."""
    url, _ = _recorded_service()
    port = url.rpartition(":")[2]
    return int(port) if port.isdecimal() else SERVICE_PORT


def running_service() -> tuple[str, str] | None:
    """The address and version of this user's service; None if it is not running."""
    url, version = _recorded_service()
    try:
        address = urlsplit(url)
        with socket.create_connection((address.hostname or "", address.port or 0), timeout=1.0):
            return url, version
    except (OSError, ValueError):
        return None


def _recorded_service() -> tuple[str, str]:
    """The address and version that a service recorded at its start. It may have been killed since."""
    try:
        record = json.loads(Path(service_record()).read_text("utf-8"))
        return str(record["url"]), str(record["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return "", ""


def via_of(line: str) -> str:
    """How a command line or address of ours reaches Headway: process, socket or HTTP."""
    return HTTP if line.startswith("http://") else SOCKET if CLIENT_NAME in line else PROCESS


def mode_in(line: str) -> str:
    """The mode in a hook's command line; empty if there is none."""
    found = _MODE.search(line)
    return found[1] if found else ""


def program() -> Path:
    """The installed `headway` of this process, by its name on the PATH if possible."""
    beside = _beside()
    on_path = find_program("headway")
    if on_path and (not beside.exists() or Path(on_path).resolve() == beside.resolve()):
        return Path(on_path)
    return beside


def other_headway() -> tuple[str, bool] | None:
    """The `headway` on the PATH, if it is not this one, and whether it is a Headway.

    The file is inspected, not run: the script that pip creates names the module it calls.
    """
    on_path = find_program("headway")
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
