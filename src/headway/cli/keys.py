"""Single keys from the terminal, without waiting for a line."""

import sys
import time
from types import TracebackType

if sys.platform == "win32":
    import msvcrt

    class Keys:
        """Keys that are pressed while the block runs."""

        def __enter__(self) -> "Keys":
            return self

        def __exit__(self, *_: object) -> None:
            """There is nothing to put back."""

        def wait(self, seconds: float) -> str | None:
            """The next key, or None if none is pressed in that time."""
            deadline = time.monotonic() + seconds
            while time.monotonic() < deadline:
                if msvcrt.kbhit():
                    return msvcrt.getwch()
                time.sleep(0.05)
            return None

else:
    import os
    import select
    import termios
    import tty

    class Keys:
        """Keys that are pressed while the block runs; afterwards the terminal is as it was."""

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
                termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._before)

        def wait(self, seconds: float) -> str | None:
            """The next key, or None if none is pressed in that time."""
            if self._terminal is None:  # input comes from a file: only Ctrl-C ends
                time.sleep(seconds)
                return None
            ready, _, _ = select.select([self._terminal], [], [], seconds)
            return os.read(self._terminal, 1).decode(errors="replace") if ready else None
