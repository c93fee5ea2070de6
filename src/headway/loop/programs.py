"""Checks, before a loop starts, that the programs it needs can be run."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

CANNOT_RUN = (126, 127)
"""Exit codes of a shell for a program that cannot be run or is missing."""


class UsageError(ValueError):
    """The loop cannot be run as asked; the message says what to change."""


def check_text(what: str, text: str) -> None:
    """Refuse text that cannot be a program's argument or be stored: NUL, and bytes that are not UTF-8."""
    try:
        nul = b"\0" in text.encode()
    except UnicodeEncodeError as error:
        raise UsageError(f"{what} is not valid UTF-8, at character {error.start + 1}") from error
    if nul:
        raise UsageError(f"{what} contains a NUL character, which no program can receive")


def check_program(name: str, folder: Path) -> None:
    """Refuse an agent that is missing or not executable."""
    if shutil.which(folder / name if "/" in name else name) is not None:
        return
    if "/" in name and (folder / name).is_file():
        raise UsageError(f"{name} is not executable; chmod +x {shlex.quote(name)} makes it so")
    raise UsageError(f"there is no program {name!r}; is it installed, and on the PATH?")


def check_command_line(option: str, line: str, folder: Path) -> None:
    """Refuse a command line whose first word the shell does not know.

    A path is not checked, because the agent may have to write that file, and only the shell can read anything more
    complex. If such a command is missing, that is reported after the baseline.
    """
    try:
        first = next(iter(shlex.split(line)), "")
    except ValueError as error:
        raise UsageError(f"{option} {line}: {error}") from error
    if "/" in first and (folder / first).is_file() and not os.access(folder / first, os.X_OK):
        raise UsageError(f"{option} {line}: {first} is not executable; chmod +x {shlex.quote(first)} makes it so")
    if not first.replace("-", "").replace("_", "").replace(".", "").isalnum() or "/" in first:
        return
    if subprocess.run(["/bin/sh", "-c", 'command -v "$1" >/dev/null', "sh", first], cwd=folder, check=False).returncode:  # noqa: S603
        raise UsageError(f"{option} {line}: there is no program {first!r}; is it installed, and on the PATH?")
