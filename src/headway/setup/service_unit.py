"""Writes the file that starts `headway serve` with the user's session, for systemd (Linux) or launchd (macOS)."""

import os
import plistlib
import shlex
import sys
from pathlib import Path
from typing import NamedTuple

from headway.setup.command import program
from headway.setup.settings_file import SetupError
from headway.store.place import OVERRIDE

LABEL = "agents.headway.serve"


class Unit(NamedTuple):
    """The file and the commands to enable and disable it."""

    path: Path
    text: str
    enable: str
    """The command that starts the service now and at every login."""
    disable: str
    """The command that stops it permanently."""


def unit_of(arguments: tuple[str, ...] = ()) -> Unit:
    """The unit for this platform; `arguments` are those of `headway serve`."""
    command = [str(program()), "serve", *arguments]
    path = unit_path()
    if path is None:
        raise SetupError("only systemd (Linux) and launchd (macOS) are supported; run `headway serve` at your login")
    if sys.platform == "darwin":
        file = shlex.quote(str(path))
        return Unit(
            path,
            _plist(command),
            f"launchctl bootstrap gui/{os.getuid()} {file}",
            f"launchctl bootout gui/{os.getuid()} {file}; rm {file}",
        )
    name = path.name
    return Unit(
        path,
        _systemd(command),
        f"systemctl --user daemon-reload && systemctl --user enable --now {name}",
        f"systemctl --user disable --now {name} && rm {shlex.quote(str(path))}",
    )


def unit_path() -> Path | None:
    """The path of the unit on this platform; None if the platform is not supported."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "LaunchAgents" / f"{LABEL}.plist"
    if sys.platform != "linux":
        return None
    config = os.environ.get("XDG_CONFIG_HOME")
    return (Path(config) if config else Path.home() / ".config") / "systemd" / "user" / "headway.service"


def is_service_installed() -> bool:
    """Whether the service starts with the user's session."""
    path = unit_path()
    return path is not None and path.exists()


def write_unit(unit: Unit) -> bool:
    """Write the file; returns whether it changed."""
    try:
        if unit.path.exists() and unit.path.read_text("utf-8") == unit.text:
            return False
        unit.path.parent.mkdir(parents=True, exist_ok=True)
        unit.path.write_text(unit.text, "utf-8")
    except (OSError, ValueError) as error:
        raise SetupError(f"{unit.path}: {getattr(error, 'strerror', None) or error}") from error
    return True


def _systemd(command: list[str]) -> str:
    words = " ".join(map(_word, command))
    state = os.environ.get(OVERRIDE)
    folder = f"Environment={_word(f'{OVERRIDE}={state}')}\n" if state else ""
    return f"""[Unit]
Description=Headway: watches AI agents

[Service]
{folder}ExecStart={words}
Restart=on-failure

[Install]
WantedBy=default.target
"""


def _word(word: str) -> str:
    """One word, quoted for systemd."""
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%") + '"'


def _plist(command: list[str]) -> str:
    described = {"Label": LABEL, "ProgramArguments": command, "RunAtLoad": True, "KeepAlive": {"SuccessfulExit": False}}
    if state := os.environ.get(OVERRIDE):
        described["EnvironmentVariables"] = {OVERRIDE: state}
    return plistlib.dumps(described).decode()
