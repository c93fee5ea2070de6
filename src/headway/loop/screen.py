"""What a person sees of a loop while it works: the agent's output, one line a round, and a line at the foot.

All of it goes to standard error; standard output is kept for the result. The foot line is there on a terminal only.
"""

import shutil
import sys
from contextlib import suppress
from typing import BinaryIO

ERASE = b"\r\x1b[2K"
DIM, PLAIN = "\x1b[2m", "\x1b[0m"


class Screen:
    """Standard error, shared by the agent and us."""

    def __init__(self, *, stream: bool = True, to: BinaryIO | None = None, terminal: bool | None = None) -> None:
        self._to = sys.stderr.buffer if to is None else to
        self._stream = stream
        self._terminal = sys.stderr.isatty() if terminal is None else terminal
        self._foot = ""
        self._foot_is_shown = False
        self._at_line_start = True

    def output(self, piece: bytes) -> None:
        """Pass the agent's output through, as it is."""
        if self._stream:
            self._write(piece)

    def say(self, line: str = "") -> None:
        """One line of our own; control characters in it are made visible by whoever made it."""
        before = b"" if self._at_line_start else b"\n"
        self._write(before + f"{line}\n".encode("utf-8", "replace"))

    def foot(self, text: str) -> None:
        """Change the line at the foot; where there is no terminal there is none."""
        if self._terminal and self._at_line_start and (text != self._foot or not self._foot_is_shown):
            self._foot = text
            self._show_foot()

    def clear(self) -> None:
        """Take the foot line away."""
        self._foot = ""
        self._hide_foot()
        self._flush()

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
        with suppress(OSError, ValueError):  # nobody listens any more, which is no reason to end the loop
            self._to.write(data)

    def _flush(self) -> None:
        with suppress(OSError, ValueError):
            self._to.flush()
