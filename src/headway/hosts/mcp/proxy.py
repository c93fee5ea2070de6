"""`headway mcp-proxy`: start an MCP server and relay messages between it and its client.

Each direction is a thread that passes lines on. The main thread waits for the server and handles signals. The server
inherits the standard error of the proxy, which stays unchanged.
"""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Lock, Thread
from types import FrameType
from typing import IO

from headway.hosts.mcp.transit import Transit

LAST_LINES = 5.0
"""Seconds to wait for the last lines of a server after its end; a child process may keep the pipe open."""
_PASSED_ON = [getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)]


def run_proxy(command: Sequence[str], transit: Transit, client_in: IO[bytes], client_out: IO[bytes]) -> int:
    """Run the server until it ends; its exit code, or 128 and the number of the signal that ended it."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:  # noqa: S603
        to_client = _Out(client_out)
        asking = Thread(target=_pass_requests, args=(client_in, server, transit, to_client), daemon=True)
        answering = Thread(target=_pass_answers, args=(server, transit, to_client), daemon=True)
        with _signals_passed_on(server):
            asking.start()
            answering.start()
            code = server.wait()
            answering.join(LAST_LINES)
        server.stdin = server.stdout = None  # the threads close them; closing here could wait for a blocked one
    return code if code >= 0 else 128 - code


class _Out:
    """A pipe into which both threads write whole lines."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe, self._lock = pipe, Lock()

    def write(self, line: bytes) -> None:
        if line:
            with self._lock:
                self._pipe.write(line)
                self._pipe.flush()


def _pass_requests(client: IO[bytes], server: "subprocess.Popen[bytes]", transit: Transit, answers: _Out) -> None:
    """Pass on what the client sends, until its input ends or the server closes the pipe."""
    pipe = server.stdin
    assert pipe is not None  # noqa: S101
    with _closing(pipe):
        for line in _lines(client):
            passed, answer = transit.from_client(line)
            answers.write(answer)
            pipe.write(passed)
            pipe.flush()


def _pass_answers(server: "subprocess.Popen[bytes]", transit: Transit, client: _Out) -> None:
    """Pass on what the server sends. If the client has closed its pipe, close the server's, as without the proxy."""
    pipe = server.stdout
    assert pipe is not None  # noqa: S101
    with _closing(pipe):
        for line in _lines(pipe):
            client.write(transit.from_server(line))


def _lines(pipe: IO[bytes]) -> Iterator[bytes]:
    return iter(pipe.readline, b"")


@contextmanager
def _closing(pipe: IO[bytes]) -> Iterator[None]:
    """Close a pipe at the end. A broken pipe ends the work without an error."""
    try:
        with suppress(OSError, ValueError):
            yield
    finally:
        with suppress(OSError, ValueError):
            pipe.close()


@contextmanager
def _signals_passed_on(server: "subprocess.Popen[bytes]") -> Iterator[None]:
    def passed_on(number: int, frame: FrameType | None) -> None:
        with suppress(OSError):
            server.send_signal(number)

    before: dict[int, Callable[[int, FrameType | None], object] | int | None] = {}
    for number in _PASSED_ON:
        before[number] = signal.signal(number, passed_on)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)


def standard_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Standard input and output, without the layers that change line ends."""
    return sys.stdin.buffer, sys.stdout.buffer
