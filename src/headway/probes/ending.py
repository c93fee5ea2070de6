"""Ends a process and all it has started: agents and test runners run commands in sessions of their own.

A service that was put into the background for good (a daemon) is no longer a child process, and is left alone.
"""

import os
import signal
import subprocess
from collections.abc import Iterable
from contextlib import suppress


def end(process: "subprocess.Popen[bytes]", grace: float) -> None:
    """End the leader of a process group with all below it: politely where it still lives, and for certain."""
    groups = {process.pid}
    try:
        if process.poll() is None:
            groups |= _groups_below(process.pid)
            _signal(groups, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(grace)
    finally:
        _signal(groups, signal.SIGKILL)  # a group outlives its leader where children are left
        process.wait()


def _groups_below(pid: int) -> set[int]:
    """The process groups of all that this process has started, directly or not."""
    children: dict[int, list[int]] = {}
    for child, parent in _parents():
        children.setdefault(parent, []).append(child)
    groups, below = set(), children.get(pid, [])
    while below:
        one = below.pop()
        below += children.get(one, [])
        with suppress(ProcessLookupError, PermissionError):
            groups.add(os.getpgid(one))
    return groups


def _parents() -> Iterable[tuple[int, int]]:
    """Every process with its parent; nothing where there is no `ps` that can tell."""
    with suppress(OSError, subprocess.SubprocessError, ValueError):
        asked = ["ps", "-A", "-o", "pid=", "-o", "ppid="]
        printed = subprocess.run(asked, capture_output=True, timeout=10, check=True).stdout.split()  # noqa: S603
        numbers = [int(word) for word in printed]
        return list(zip(numbers[::2], numbers[1::2], strict=True))
    return []


def _signal(groups: Iterable[int], number: signal.Signals) -> None:
    for group in groups:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)
