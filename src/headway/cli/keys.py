"""Single keys from the terminal, without waiting for a line."""

import sys
import time
from types import TracebackType

UP, DOWN, ESCAPE = "\x1b[A", "\x1b[B", "\x1b"
ENTER = ("\r", "\n")

if sys.platform == "win32":
    import msvcrt

    ARROWS = {"H": UP, "P": DOWN}

    class Keys:
        """Keys pressed while the block runs."""

        def __enter__(self) -> "Keys":
            return self

        def __exit__(self, *_: object) -> None:
            """Nothing to restore."""

        def wait(self, seconds: float) -> str | None:
            """The next key, or None if none is pressed in that time."""
            deadline = time.monotonic() + seconds
            while time.monotonic() < deadline:
                if msvcrt.kbhit():
                    key = msvcrt.getwch()
                    return ARROWS.get(msvcrt.getwch(), key) if key in ("\x00", "\xe0") else key
                time.sleep(0.05)
            return None

else:
    import os
    import select
    import termios
    import tty
    from contextlib import suppress

    _REST_OF_A_KEY = 0.02
    """Seconds within which the other characters of a key arrive."""

    class Keys:
        """Keys pressed while the block runs. The terminal is restored afterwards."""

        def __init__(self) -> None:
            self._terminal = sys.stdin.fileno() if sys.stdin.isatty() else None

        def __enter__(self) -> "Keys":
            if self._terminal is not None:
                self._before = termios.tcgetattr(self._terminal)
                tty.setcbreak(self._terminal)
            return self

        def __exit__(
            self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
        ) -> None:
            if self._terminal is not None:
                with suppress(termios.error):  # the terminal may be gone
                    termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._before)

        def wait(self, seconds: float) -> str | None:
            """The next key, or None if none is pressed in that time; EOFError when the terminal is gone."""
            if self._terminal is None:  # input comes from a file, so only Ctrl-C ends it
                time.sleep(seconds)
                return None
            if not select.select([self._terminal], [], [], seconds)[0]:
                return None
            key = self._pressed(self._terminal)
            if not key:
                raise EOFError
            if key == b"\x1b" and select.select([self._terminal], [], [], _REST_OF_A_KEY)[0]:
                key += os.read(self._terminal, 2)  # an arrow is three characters
            return key.decode(errors="replace")

        def _pressed(self, terminal: int) -> bytes:
            try:
                return os.read(terminal, 1)
            except OSError:  # Linux raises this when the other end is closed
                return b""
