"""Answers hooks over a unix socket; `hosts/hook/client.py` documents the protocol."""

import asyncio
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from headway.hosts.hook.call import LARGEST_INPUT
from headway.serve.judge import Answer, Judge

MAX_HEAD_BYTES = 1_000
CLIENT_TIMEOUT_SECONDS = 10.0


class HookConnection(asyncio.Protocol):
    """One event of one client."""

    def __init__(self, judge: Judge) -> None:
        self.judge, self.parts, self.size = judge, bytearray(), -1
        self.arguments: list[str] = []
        self.id, self.is_asked = "", False
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the timeout."""
        self.transport = cast("asyncio.Transport", transport)
        self.limit = asyncio.get_running_loop().call_later(CLIENT_TIMEOUT_SECONDS, self.transport.abort)

    def connection_lost(self, error: Exception | None) -> None:
        """Cancel the timeout."""
        self.limit.cancel()

    def data_received(self, data: bytes) -> None:
        """Collect the event. A client that sends anything else is disconnected."""
        self.parts += data
        if self.is_asked or (self.size < 0 and not self._read_head()):
            return
        if len(self.parts) >= self.size:
            self.is_asked = True
            self.limit.cancel()
            self.transport.write(b"+")
            loop = asyncio.get_running_loop()
            self.judge.ask(bytes(self.parts[: self.size]), self.arguments, self.id, _in(loop, self._send))

    def _read_head(self) -> bool:
        head, end, rest = self.parts.partition(b"\n")
        words = head.decode("utf-8", "replace").split()
        is_ours = words[:2] == ["headway", "1"] and len(words) >= 4 and words[3].isdecimal() and len(words[2]) <= 64
        if end and is_ours and int(words[3]) <= LARGEST_INPUT:
            self.id, self.size, self.arguments, self.parts = words[2], int(words[3]), words[4:], rest
            return True
        if end or len(self.parts) > MAX_HEAD_BYTES:
            self.transport.abort()
        return False

    def _send(self, answer: Answer) -> None:
        if not answer.failed and not self.transport.is_closing():
            self.transport.write(b"%s%d\n" % (b"!" if answer.interrupts else b"=", len(answer.body)) + answer.body)
        self.transport.close()


def _in(loop: asyncio.AbstractEventLoop, call: Callable[[Answer], None]) -> Callable[[Answer], None]:
    def later(answer: Answer) -> None:
        loop.call_soon_threadsafe(call, answer)

    return later


async def listen(path: Path, judge: Judge) -> Any:
    """Open the socket, to which only its user can connect. One left behind by a killed service is replaced."""
    path.unlink(missing_ok=True)
    before = os.umask(0o177)
    try:
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listening.bind(str(path))
    finally:
        os.umask(before)
    return await asyncio.get_running_loop().create_unix_server(
        lambda: HookConnection(judge), sock=listening, backlog=512
    )
