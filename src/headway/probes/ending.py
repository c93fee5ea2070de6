"""Ends a process and all processes it started, including those in other sessions.

Agents and test runners run commands in sessions of their own. A daemon is no longer a child process, and is left
running.
"""

import os
import signal
import subprocess
from collections.abc import Iterable
from contextlib import suppress


def end(process: "subprocess.Popen[bytes]", grace: float) -> None:
    """End the leader of a process group and all processes below it: ask first, then kill."""
    groups = {process.pid}
    try:
        if process.poll() is None:
            groups |= _groups_below(process.pid)
            _signal(groups, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(grace)
    finally:
        _signal(groups, signal.SIGKILL)  # a group outlives its leader while it has children
        process.wait()


def _groups_below(pid: int) -> set[int]:
    """The process groups of all direct and indirect child processes."""
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
    """Every process with its parent; empty if there is no usable `ps`."""
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
