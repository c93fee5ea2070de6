"""Interrupt an agent program that cannot be stopped by an answer, as its user would with Ctrl-C. Only on request."""

import os
import signal
import sys


def interrupt_parent(name: str) -> bool:
    """Send SIGINT to the nearest parent that is the program `name`; False if there is none."""
    if sys.platform == "win32":
        return False
    process = os.getppid()
    for _ in range(3):  # a shell may stand in between
        command, parent = _look_at(process)
        if name in os.path.basename(command):
            os.kill(process, signal.SIGINT)
            return True
        process = parent
        if process <= 1:
            break
    return False


def _look_at(process: int) -> tuple[str, int]:
    """The command of a process and its parent."""
    import subprocess

    shown = subprocess.run(  # noqa: S603
        ["/bin/ps", "-o", "ppid=,comm=", "-p", str(process)], capture_output=True, text=True, timeout=2, check=False
    )
    parent, _, command = shown.stdout.strip().partition(" ")
    return command.strip(), int(parent) if parent.isdigit() else 0
