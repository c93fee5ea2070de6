"""Runs a command of the project with limits on time and output, and ends all its processes."""

import errno
import os
import shlex
import shutil
import subprocess
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Final

import msgspec

from headway.probes.ending import end
from headway.probes.guard import Guard
from headway.probes.printout import Printout

MOST_OUTPUT: Final = 5_000_000
_GRACE = 2.0
"""Seconds between asking a command to end and killing it."""
_NON_INTERACTIVE = {"CI": "true", "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"}
"""No watch modes, no colours, no bytecode in the project."""


class CommandResult(msgspec.Struct, frozen=True, kw_only=True):
    """How a command ended, and what it printed."""

    exit_code: int | None = None
    """None if it did not end by itself, negative if a signal ended it."""
    output: bytes = b""
    errors: bytes = b""
    """Its standard error, if that was requested separately."""
    clipped: bool = False
    """Whether the middle of a long output was left out."""
    timed_out: bool = False
    fault: str | None = None
    """Why the command gave no result: missing, killed, or out of time."""
    seconds: float = 0.0


def run_command(
    command: tuple[str, ...] | list[str] | str,
    folder: Path,
    timeout: float,
    *,
    env: Mapping[str, str] | None = None,
    errors_apart: bool = False,
    most: int = MOST_OUTPUT,
) -> CommandResult:
    """Run a command to its end. A string is the user's own command line, for the shell."""
    began = time.monotonic()
    output, errors = Printout(most), Printout(most)
    with Guard() as guard:
        try:
            process = _started(command, folder, env or {}, errors_apart, guard)
        except (OSError, ValueError, IndexError) as error:
            return CommandResult(
                fault=f"{_program(command)} could not be started: {getattr(error, 'strerror', None) or error}"
            )
        pipes = ((process.stdout, output), (process.stderr, errors))
        collectors = [_collector(pipe, into) for pipe, into in pipes if pipe]
        timed_out = _wait(process, timeout, guard)
    for collector in collectors:
        collector.join(_GRACE)  # a process that left the group may hold the pipe open forever
    return CommandResult(
        exit_code=None if timed_out else process.returncode,
        output=output.text(),
        errors=errors.text(),
        clipped=output.clipped,
        timed_out=timed_out,
        fault=_fault(process.returncode, timeout if timed_out else None),
        seconds=time.monotonic() - began,
    )


def shown(command: tuple[str, ...] | list[str] | str) -> str:
    """A command as a user would type it."""
    return command if isinstance(command, str) else shlex.join(command)


def _program(command: tuple[str, ...] | list[str] | str) -> str:
    return command if isinstance(command, str) else next(iter(command), "an empty command")


def _started(
    command: tuple[str, ...] | list[str] | str, folder: Path, env: Mapping[str, str], errors_apart: bool, guard: Guard
) -> subprocess.Popen[bytes]:
    inherited = {name: value for name, value in os.environ.items() if name != "FORCE_COLOR"}
    words = ("/bin/sh", "-c", command) if isinstance(command, str) else tuple(command)
    _check_program(words[0], folder)
    return subprocess.Popen(  # noqa: S603 - running the project's own tools is what a probe is for
        guard.around(words),
        cwd=folder,
        env={**inherited, **_NON_INTERACTIVE, **env},
        stdin=guard.pipe,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if errors_apart else subprocess.STDOUT,
        bufsize=0,
        start_new_session=True,  # so that it can be killed with all its children
    )


def _check_program(name: str, folder: Path) -> None:
    """Raise the error that starting the program would. The shell in between only returns an exit code."""
    if "\0" in name:
        raise ValueError("embedded null byte")
    place = folder / name if "/" in name else Path(shutil.which(name) or "")
    if not place.exists() or place == Path():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    if not os.access(place, os.X_OK) or place.is_dir():
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _collector(pipe: IO[bytes], into: Printout) -> threading.Thread:
    """Read a pipe to its end in the background, so that the command never blocks."""

    def collect() -> None:
        with pipe:
            while piece := pipe.read(65_536):
                into.add(piece)

    thread = threading.Thread(target=collect, daemon=True)
    thread.start()
    return thread


def _wait(process: subprocess.Popen[bytes], timeout: float, guard: Guard) -> bool:
    """Wait for the end, and end all processes of the command, also on a timeout or Ctrl-C."""
    try:
        process.wait(timeout)
        return False
    except subprocess.TimeoutExpired:
        return True
    finally:
        end(process, _GRACE)
        guard.dismiss()


def _fault(exit_code: int, timed_out_after: float | None) -> str | None:
    if timed_out_after is not None:
        return f"killed after {timed_out_after:g} s"
    if exit_code < 0:
        return f"ended by signal {-exit_code}"
    return None
