"""Sees to it that a program that we run does not outlive us.

The guard is a shell that waits on a pipe which we hold open. If this process vanishes (`kill -9`, a crash), it
kills the program's process group and all that was started from it, so that no orphan goes on changing files. The
program tells the guard its group before it begins, so there is no moment in which it is unguarded. A service that was
put into the background for good (`pg_ctl start`) is no longer a child process, and is left alone.
"""

import os
import subprocess
from collections.abc import Iterable

BECOME = 'echo $$ >&0; headway_given=$1; shift; exec "$@" <"$headway_given"'
"""Standard input is the guard's pipe at first, and the program's own input afterwards."""
WATCH = """read group; read nothing; all=$group; below=$group
while below=$(pgrep -d , -P "$below"); do all=$all,$below; done
IFS=,; kill -s KILL -- "-$group" $all"""


class Guard:
    """A guard for one program, which has to be started with `around` and `pipe`, in a session of its own."""

    def __enter__(self) -> "Guard":
        reading, self.pipe = os.pipe()
        """The standard input to start the program with."""
        self._process = subprocess.Popen(  # noqa: S603 (a fixed command)
            ["/bin/sh", "-c", WATCH],
            stdin=reading,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # a Ctrl-C in the terminal is not meant for it
        )
        os.close(reading)
        return self

    def around(self, command: Iterable[str], given: str = os.devnull) -> list[str]:
        """The command with which to start a program; `given` is the file that it gets on standard input."""
        return ["/bin/sh", "-c", BECOME, "sh", given, *command]

    def dismiss(self) -> None:
        """The program has ended with all that it started: there is nothing left to kill."""
        self._process.kill()

    def __exit__(self, *exception: object) -> None:
        os.close(self.pipe)  # if we come here before the program was in our hands, the guard ends it now
        self._process.wait()
