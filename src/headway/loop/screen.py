"""Shows a running loop on the terminal: the agent's output, one line per round, and a status line.

Everything goes to standard error; standard output is for the result. The status line is shown on a terminal only.

Standard error may not be read, for example by a pager or a paused terminal. Nothing here blocks on that. Pending output
is buffered, and while there is much of it, the agent's output is not read.
"""

import os
import select
import shutil
import sys
import time
from contextlib import suppress
from typing import BinaryIO

ERASE = b"\r\x1b[2K"
DIM, PLAIN = "\x1b[2m", "\x1b[0m"
MAX_PENDING = 262_144
"""While more bytes than this are pending, the agent's output is not read."""
PATIENCE = 2.0
"""Seconds without progress after which pending output is dropped at the end."""


class Screen:
    """Standard error, shared by the agent and Headway."""

    def __init__(self, *, stream: bool = True, to: BinaryIO | None = None, terminal: bool | None = None) -> None:
        self._to = sys.stderr.buffer if to is None else to
        self._stream = stream
        self._terminal = sys.stderr.isatty() if terminal is None else terminal
        self._foot = ""
        self._foot_is_shown = False
        self._at_line_start = True
        self._waiting = bytearray()

    def has_room(self) -> bool:
        """Check whether most pending output has been written."""
        self._flush()
        return len(self._waiting) < MAX_PENDING

    def output(self, piece: bytes) -> None:
        """Pass the agent's output through unchanged."""
        if self._stream:
            self._write(piece)

    def say(self, line: str = "") -> None:
        """Print one line. The caller has made control characters visible."""
        before = b"" if self._at_line_start else b"\n"
        self._write(before + f"{line}\n".encode("utf-8", "replace"))

    def status(self, text: str) -> None:
        """Change the status line. Without a terminal this does nothing."""
        if self._terminal and self._at_line_start and (text != self._foot or not self._foot_is_shown):
            self._foot = text
            self._show_status()

    def clear(self) -> None:
        """Remove the status line and write all pending output, as long as it is read."""
        self._foot = ""
        self._hide_status()
        before, deadline = -1, time.monotonic()
        while self._waiting and (len(self._waiting) != before or time.monotonic() < deadline):
            if len(self._waiting) != before:
                before, deadline = len(self._waiting), time.monotonic() + PATIENCE
            self._flush(wait=PATIENCE / 10)
        self._waiting.clear()

    def _write(self, data: bytes) -> None:
        self._hide_status()
        self._send(data)
        self._at_line_start = data.endswith(b"\n") or (self._at_line_start and not data)
        if self._foot and self._at_line_start:
            self._show_status()
        self._flush()

    def _show_status(self) -> None:
        self._hide_status()
        width = shutil.get_terminal_size().columns - 1
        self._send(f"{DIM}{self._foot[:width]}{PLAIN}".encode())
        self._foot_is_shown = True
        self._flush()

    def _hide_status(self) -> None:
        if self._foot_is_shown:
            self._send(ERASE)
            self._foot_is_shown = False

    def _send(self, data: bytes) -> None:
        self._waiting += data

    def _flush(self, wait: float = 0.0) -> None:
        """Write pending output, blocking at most this long."""
        try:
            file = self._to.fileno()
        except (OSError, ValueError):  # not a file: the output is captured
            self._to.write(self._waiting)
            self._waiting.clear()
            return
        with suppress(OSError, ValueError):
            while self._waiting and select.select([], [file], [], wait)[1]:
                del self._waiting[: os.write(file, self._waiting[: select.PIPE_BUF])]
            return
        self._waiting.clear()  # the output was closed, which must not end the loop
