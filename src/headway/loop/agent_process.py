"""Runs the agent for one round: its output streams through, and nothing of it outlives the round or us.

The agent leads a process group of its own, under guard. While its output is not read, it waits, and its limits
still apply.
"""

import os
import selectors
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

import msgspec

from headway.probes.ending import end
from headway.probes.guard import Guard

GRACE = 5.0
"""Seconds between asking the agent to end and killing it."""
GLANCE = 0.2
"""Seconds between two looks at the clock and the transcript."""
PIECE = 65_536


class Interruption(NamedTuple):
    """Why a round is ended from outside."""

    reason: str
    message: str


class AgentResult(msgspec.Struct, frozen=True, kw_only=True):
    """How the agent ended."""

    exit_code: int | None
    """Negative when a signal ended it, None when we did."""
    cut: Interruption | None = None
    seconds: float = 0.0


def run_agent(
    command: tuple[str, ...],
    folder: Path,
    *,
    env: Mapping[str, str],
    given: Path,
    heard: Callable[[bytes], None],
    glance: Callable[[], Interruption | None],
    can_hear: Callable[[], bool] = lambda: True,
) -> AgentResult:
    """Run the agent to its end, or until `glance` says why not. `given` is the file it gets on standard input.

    While `can_hear` says no, nothing that it prints is read.
    """
    began = time.monotonic()
    with Guard() as guard, _started(command, folder, env, given, guard) as process:
        try:
            cut = _attend(process, heard, glance, can_hear)
        finally:
            end(process, GRACE)
            guard.dismiss()
    return AgentResult(exit_code=None if cut else process.returncode, cut=cut, seconds=time.monotonic() - began)


def _started(
    command: tuple[str, ...], folder: Path, env: Mapping[str, str], given: Path, guard: Guard
) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(  # noqa: S603 (running the user's own agent is what a loop is for)
        guard.around(command, str(given)),
        cwd=folder,
        env={**os.environ, **env},
        stdin=guard.pipe,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        bufsize=0,
        start_new_session=True,
    )


def _attend(
    process: "subprocess.Popen[bytes]",
    heard: Callable[[bytes], None],
    glance: Callable[[], Interruption | None],
    can_hear: Callable[[], bool],
) -> Interruption | None:
    """Listen until the agent ends, looking up now and then."""
    assert process.stdout is not None  # noqa: S101 (opened as a pipe; this tells mypy)
    with selectors.DefaultSelector() as waiting:
        waiting.register(process.stdout, selectors.EVENT_READ)
        looked = 0.0
        while True:
            if not waiting.get_map():  # it closed its output and may still be at work
                with suppress(subprocess.TimeoutExpired):
                    process.wait(GLANCE)
            elif not can_hear():
                time.sleep(GLANCE / 10)
            elif waiting.select(GLANCE) and not _listen(process.stdout, heard):
                waiting.unregister(process.stdout)
            if process.poll() is not None:
                _drain(process.stdout, heard)  # something it left behind may hold the pipe open
                return None
            if time.monotonic() - looked >= GLANCE:
                looked = time.monotonic()
                if cut := glance():
                    return cut


def _listen(output: IO[bytes], heard: Callable[[bytes], None]) -> bool:
    piece = output.read(PIECE)
    if piece:
        heard(piece)
    return bool(piece)


def _drain(output: IO[bytes], heard: Callable[[bytes], None]) -> None:
    os.set_blocking(output.fileno(), False)
    while piece := output.read(PIECE):  # None when there is nothing left, b"" at the end
        heard(piece)
