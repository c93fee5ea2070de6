"""Runs the agent for one round, passes its output through, and ends all its processes afterwards.

The agent leads its own process group, and a guard kills that group if Headway dies. If the agent's output is not being
read, the agent blocks, and its limits still apply.
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

GRACE_SECONDS = 5.0
"""Seconds between asking the agent to end and killing it."""
POLL_SECONDS = 0.2
PIECE = 65_536


class Interruption(NamedTuple):
    """Why a round is ended early."""

    reason: str
    message: str


class AgentResult(msgspec.Struct, frozen=True, kw_only=True):
    """How the agent ended."""

    exit_code: int | None
    """Negative if a signal ended it, None if we did."""
    cut: Interruption | None = None
    seconds: float = 0.0


def run_agent(
    command: tuple[str, ...],
    folder: Path,
    *,
    env: Mapping[str, str],
    stdin_path: Path,
    on_output: Callable[[bytes], None],
    poll: Callable[[], Interruption | None],
    can_read: Callable[[], bool] = lambda: True,
) -> AgentResult:
    """Run the agent to its end, or until `poll` returns a reason to interrupt it.

    `stdin_path` is the file that it gets on standard input. Its output is not read while `can_read` returns False.
    """
    began = time.monotonic()
    with Guard() as guard, _started(command, folder, env, stdin_path, guard) as process:
        try:
            cut = _supervise(process, on_output, poll, can_read)
        finally:
            end(process, GRACE_SECONDS)
            guard.dismiss()
    return AgentResult(exit_code=None if cut else process.returncode, cut=cut, seconds=time.monotonic() - began)


def _started(
    command: tuple[str, ...], folder: Path, env: Mapping[str, str], stdin_path: Path, guard: Guard
) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(  # noqa: S603 (running the user's own agent is what a loop is for)
        guard.around(command, str(stdin_path)),
        cwd=folder,
        env={**os.environ, **env},
        stdin=guard.pipe,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        bufsize=0,
        start_new_session=True,
    )


def _supervise(
    process: "subprocess.Popen[bytes]",
    on_output: Callable[[bytes], None],
    poll: Callable[[], Interruption | None],
    can_read: Callable[[], bool],
) -> Interruption | None:
    """Read the output until the agent ends, and call `poll` regularly."""
    assert process.stdout is not None  # noqa: S101 (opened as a pipe; this tells mypy)
    with selectors.DefaultSelector() as waiting:
        waiting.register(process.stdout, selectors.EVENT_READ)
        looked = 0.0
        while True:
            if not waiting.get_map():  # it closed its output and may still be running
                with suppress(subprocess.TimeoutExpired):
                    process.wait(POLL_SECONDS)
            elif not can_read():
                time.sleep(POLL_SECONDS / 10)
            elif waiting.select(POLL_SECONDS) and not _read_piece(process.stdout, on_output):
                waiting.unregister(process.stdout)
            if process.poll() is not None:
                _drain(process.stdout, on_output)  # a process that it left behind may hold the pipe open
                return None
            if time.monotonic() - looked >= POLL_SECONDS:
                looked = time.monotonic()
                if cut := poll():
                    return cut


def _read_piece(output: IO[bytes], on_output: Callable[[bytes], None]) -> bool:
    piece = output.read(PIECE)
    if piece:
        on_output(piece)
    return bool(piece)


def _drain(output: IO[bytes], on_output: Callable[[bytes], None]) -> None:
    os.set_blocking(output.fileno(), False)
    while piece := output.read(PIECE):  # None when there is nothing left, b"" at the end
        on_output(piece)
