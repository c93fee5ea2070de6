"""Interrupt an agent program that cannot be stopped by an answer, as its user would with Ctrl-C. Only on request."""

import os
import signal
import sys

GENERATIONS = 3
"""Parents that are looked at: a shell or two may stand in between."""


def interrupt_parent(name: str) -> bool:
    """Send SIGINT to the nearest parent that is the program `name`; False if there is none."""
    if sys.platform == "win32":
        return False
    process = os.getppid()
    for _ in range(GENERATIONS):
        command, parent = _look_at(process)
        if os.path.basename(command).startswith(name):
            os.kill(process, signal.SIGINT)
            return True
        process = parent
        if process <= 1:
            break
    return False


def _look_at(process: int) -> tuple[str, int]:
    """The command of a process and its parent."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as stat:
            command, _, rest = stat.read().partition("(")[2].rpartition(")")
        return command, int(rest.split()[1])
    except OSError:
        return _asked_of_ps(process)


def _asked_of_ps(process: int) -> tuple[str, int]:
    import subprocess

    asked = ["/bin/ps", "-o", "ppid=,comm=", "-p", str(process)]
    shown = subprocess.run(asked, capture_output=True, text=True, timeout=2, check=False)  # noqa: S603
    parent, _, command = shown.stdout.strip().partition(" ")
    return command.strip(), int(parent) if parent.isdigit() else 0
