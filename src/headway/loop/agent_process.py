"""Runs the agent for one round: its output streams through, and nothing of it outlives the round or us.

The agent leads a process group of its own. A guard, a shell that waits on a pipe we hold open, kills that group and all
that was started from it when we vanish without a word (`kill -9`, a crash), so that no orphan goes on editing files.
The agent tells the guard its group before it becomes the agent, so there is no moment in which it is unguarded. A
service that the agent put into the background for good (`pg_ctl start`) is nobody's child any more, and is left alone.
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

BECOME = 'echo $$ >&0; headway_given=$1; shift; exec "$@" <"$headway_given"'
"""Standard input is the guard's pipe at first, and the agent's own input afterwards."""
GUARD = """read group; read nothing; all=$group; below=$group
while below=$(pgrep -d , -P "$below"); do all=$all,$below; done
IFS=,; kill -s KILL -- "-$group" $all"""
GRACE = 5.0
"""Seconds between asking the agent to end and killing it."""
GLANCE = 0.2
"""Seconds between two looks at the clock and the transcript."""
PIECE = 65_536


class Cut(NamedTuple):
    """Why a round is ended from outside."""

    reason: str
    message: str


class Ran(msgspec.Struct, frozen=True, kw_only=True):
    """How the agent ended."""

    exit_code: int | None
    """Negative when a signal ended it, None when we did."""
    cut: Cut | None = None
    seconds: float = 0.0


def run_agent(
    command: tuple[str, ...],
    folder: Path,
    *,
    env: Mapping[str, str],
    given: Path,
    heard: Callable[[bytes], None],
    glance: Callable[[], Cut | None],
) -> Ran:
    """Run the agent to its end, or until `glance` says why not. `given` is the file it gets on standard input."""
    began = time.monotonic()
    guard, pipe = _guard()
    ended = False
    try:
        with _started(command, folder, env, given, pipe) as process:
            try:
                cut = _attend(process, heard, glance)
            finally:
                end(process, GRACE)
                ended = True
    finally:
        if ended:
            guard.kill()  # before its pipe closes: there is nothing left to kill
        os.close(pipe)  # otherwise an interrupt came before we had the agent in hand, and the guard ends it
        guard.wait()
    return Ran(exit_code=None if cut else process.returncode, cut=cut, seconds=time.monotonic() - began)


def _guard() -> tuple["subprocess.Popen[bytes]", int]:
    reading, writing = os.pipe()
    guard = subprocess.Popen(  # noqa: S603 (a fixed command)
        ["/bin/sh", "-c", GUARD],
        stdin=reading,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # a Ctrl-C in the terminal is not meant for it
    )
    os.close(reading)
    return guard, writing


def _started(
    command: tuple[str, ...], folder: Path, env: Mapping[str, str], given: Path, pipe: int
) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(  # noqa: S603 (running the user's own agent is what a loop is for)
        ["/bin/sh", "-c", BECOME, "sh", str(given), *command],
        cwd=folder,
        env={**os.environ, **env},
        stdin=pipe,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        bufsize=0,
        start_new_session=True,
    )


def _attend(
    process: "subprocess.Popen[bytes]", heard: Callable[[bytes], None], glance: Callable[[], Cut | None]
) -> Cut | None:
    """Listen until the agent ends, looking up now and then."""
    assert process.stdout is not None  # noqa: S101 (opened as a pipe; this tells mypy)
    with selectors.DefaultSelector() as waiting:
        waiting.register(process.stdout, selectors.EVENT_READ)
        looked = 0.0
        while True:
            if not waiting.get_map():  # it closed its output and may still be at work
                with suppress(subprocess.TimeoutExpired):
                    process.wait(GLANCE)
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
