"""What a person sees of a loop while it works: the agent's output, one line a round, and a line at the foot.

All of it goes to standard error; standard output is kept for the result. The foot line is there on a terminal only.

The output may not be read: a pager that is not scrolled, a paused terminal. Nothing here
waits for that. What cannot be written yet is kept, and the agent is not listened to as long as there is much of it.
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
MUCH = 262_144
"""Bytes that may wait to be written while the agent is still listened to."""
PATIENCE = 2.0
"""Seconds without a byte being read after which the rest is dropped at the end."""


class Screen:
    """Standard error, shared by the agent and us."""

    def __init__(self, *, stream: bool = True, to: BinaryIO | None = None, terminal: bool | None = None) -> None:
        self._to = sys.stderr.buffer if to is None else to
        self._stream = stream
        self._terminal = sys.stderr.isatty() if terminal is None else terminal
        self._foot = ""
        self._foot_is_shown = False
        self._at_line_start = True
        self._waiting = bytearray()

    def has_room(self) -> bool:
        """Is what was written nearly all read?"""
        self._flush()
        return len(self._waiting) < MUCH

    def output(self, piece: bytes) -> None:
        """Pass the agent's output through, as it is."""
        if self._stream:
            self._write(piece)

    def say(self, line: str = "") -> None:
        """Print one line. The caller has made control characters visible."""
        before = b"" if self._at_line_start else b"\n"
        self._write(before + f"{line}\n".encode("utf-8", "replace"))

    def foot(self, text: str) -> None:
        """Change the line at the foot; where there is no terminal there is none."""
        if self._terminal and self._at_line_start and (text != self._foot or not self._foot_is_shown):
            self._foot = text
            self._show_foot()

    def clear(self) -> None:
        """Remove the status line and write all pending output, as long as it is read."""
        self._foot = ""
        self._hide_foot()
        before, deadline = -1, time.monotonic()
        while self._waiting and (len(self._waiting) != before or time.monotonic() < deadline):
            if len(self._waiting) != before:
                before, deadline = len(self._waiting), time.monotonic() + PATIENCE
            self._flush(wait=PATIENCE / 10)
        self._waiting.clear()

    def _write(self, data: bytes) -> None:
        self._hide_foot()
        self._send(data)
        self._at_line_start = data.endswith(b"\n") or (self._at_line_start and not data)
        if self._foot and self._at_line_start:
            self._show_foot()
        self._flush()

    def _show_foot(self) -> None:
        self._hide_foot()
        width = shutil.get_terminal_size().columns - 1
        self._send(f"{DIM}{self._foot[:width]}{PLAIN}".encode())
        self._foot_is_shown = True
        self._flush()

    def _hide_foot(self) -> None:
        if self._foot_is_shown:
            self._send(ERASE)
            self._foot_is_shown = False

    def _send(self, data: bytes) -> None:
        self._waiting += data

    def _flush(self, wait: float = 0.0) -> None:
        """Write what can be written without waiting longer than this."""
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
