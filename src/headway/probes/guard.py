"""Kills a program that we run if Headway itself dies.

The guard is a shell that waits on a pipe which this process holds open. If this process dies (`kill -9`, a crash), the
guard kills the program's process group and all processes started from it, so that no orphan continues to change files.
The program sends its group to the guard before it starts, so it is guarded from the beginning. A daemon (`pg_ctl
start`) is no longer a child process, and is left running.
"""

import os
import subprocess
from collections.abc import Iterable

BECOME = 'echo $$ >&0; headway_given=$1; shift; exec "$@" <"$headway_given"'
"""Standard input is the guard's pipe at first, then the program's own input."""
WATCH = """read group; read nothing; all=$group; below=$group
while below=$(pgrep -d , -P "$below"); do all=$all,$below; done
IFS=,; kill -s KILL -- "-$group" $all"""


class Guard:
    """The guard of one program, which must be started with `around` and `pipe` in its own session."""

    def __enter__(self) -> "Guard":
        reading, self.pipe = os.pipe()
        """The standard input to start the program with."""
        self._process = subprocess.Popen(  # noqa: S603 (a fixed command)
            ["/bin/sh", "-c", WATCH],
            stdin=reading,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # so that a Ctrl-C in the terminal does not reach it
        )
        os.close(reading)
        return self

    def around(self, command: Iterable[str], given: str = os.devnull) -> list[str]:
        """The command line that starts a program; `given` is the file for its standard input."""
        return ["/bin/sh", "-c", BECOME, "sh", given, *command]

    def dismiss(self) -> None:
        """End the guard: the program and everything it started have ended."""
        self._process.kill()

    def __exit__(self, *exception: object) -> None:
        os.close(self.pipe)  # if we failed while starting the program, the guard kills it now
        self._process.wait()
