"""Interrupts an agent program that an answer cannot stop, like Ctrl-C. Only on request.

Only a program that runs one task without a screen is interrupted (`codex exec`). With a screen, hooks may run in a
background server that other sessions share: a signal would end that and leave the screen hanging.
"""

import os
import signal
import sys

GENERATIONS = 3
"""Number of parent processes to check, because shells may be in between."""


HEADLESS = {"exec", "e"}
"""Words on the command line that run one task without a screen."""


def interrupt_parent(name: str) -> bool:
    """Send SIGINT to the nearest parent that is the program `name` without a screen; False if there is none."""
    if sys.platform == "win32":
        return False
    process = os.getppid()
    for _ in range(GENERATIONS):
        command, parent = _look_at(process)
        if os.path.basename(command).startswith(name):
            words = _words_of(process)
            if HEADLESS.isdisjoint(words) or "app-server" in words:
                return False
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


def _words_of(process: int) -> list[str]:
    """The words of a process's command line, without the program itself."""
    try:
        with open(f"/proc/{process}/cmdline", encoding="utf-8", errors="replace") as line:
            return line.read().split("\0")[1:]
    except OSError:
        return _ask_ps("args=", process).split()[1:]


def _asked_of_ps(process: int) -> tuple[str, int]:
    parent, _, command = _ask_ps("ppid=,comm=", process).partition(" ")
    return command.strip(), int(parent) if parent.isdigit() else 0


def _ask_ps(columns: str, process: int) -> str:
    import subprocess

    asked = ["/bin/ps", "-o", columns, "-p", str(process)]
    return subprocess.run(asked, capture_output=True, text=True, timeout=2, check=False).stdout.strip()  # noqa: S603
