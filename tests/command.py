"""The command as a user runs it: a process of its own, which need not import everything anew.

Importing takes longer than most commands do. So each test process keeps one process that has imported every command,
compiled every pattern and run a few commands, and forks it for each run: working folder, environment, standard streams,
exit code and end are those of a real process.
What depends on how Python starts (signals, a terminal, other options of Python) starts one with `RUN`.
"""

import atexit
import json
import os
import socket
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROGRAM = str(Path(sys.executable).parent / "headway")
RUN = [sys.executable, "-c", "from headway.cli import main; main()"]
RECORDING = str(ROOT / "examples" / "recordings" / "round-and-round.jsonl")
TIMEOUT = 120  # seconds

_FORKED = """
import atexit, contextlib, gc, importlib, io, json, os, pkgutil, socket, sys, threading
import rapidfuzz.fuzz, rich.progress, rich.table
import headway.cli

for _, name, _ in pkgutil.walk_packages(headway.__path__, "headway."):
    if not name.startswith(("headway.hosts.", "headway.fleet.")):  # frameworks and Kafka
        importlib.import_module(name)
for thing in gc.get_objects():
    if isinstance(thing, headway.rolling.lazy._Lazy):
        thing._compile()
given, recording = dict(os.environ), sys.argv[2]
os.environ.update(dict.fromkeys(("HOME", "HEADWAY_STATE_DIR", "XDG_CONFIG_HOME"), os.devnull))  # a command finds nothing
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    for words in (["--help"], ["config"], ["explain", "exact_cycle"], ["doctor"], ["show", recording], ["scan", recording]):
        headway.cli.run(words)  # reads the packaged data, and what else only the first run has to do
os.environ.clear()
os.environ.update(given)
headway.detectors.plugin_detectors.cache_clear()
headway.readers.plugin_readers.cache_clear()

def become(job, streams):
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    for name, number, mode in (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w")):
        old = getattr(sys, name)
        new = open(number, mode, encoding=old.encoding, errors=old.errors, closefd=False)
        new.reconfigure(line_buffering=number == 2 or os.isatty(number))
        setattr(sys, name, new)
        setattr(sys, f"__{name}__", new)
    os.chdir(job["folder"])
    os.environ.clear()
    os.environ.update(job["environment"])
    sys.argv = job["command"]
    sys.path[:0] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    try:
        headway.cli.main()
    except SystemExit as end:
        threading._shutdown()
        atexit._run_exitfuncs()
        try:
            sys.stdout.flush()
        except OSError:
            os._exit(120)
        os._exit(end.code or 0)

gc.freeze()
asked = socket.socket(fileno=int(sys.argv[1]))
while True:
    job, streams, _, _ = socket.recv_fds(asked, 1_000_000, 3)
    if not job:
        break
    child = os.fork()
    if not child:
        asked.close()
        become(json.loads(job), streams)
    for stream in streams:
        os.close(stream)
    asked.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@cache
def _fork_server():
    """The connection to the process that is forked; it ends with this one."""
    ours, theirs = socket.socketpair()
    process = subprocess.Popen(
        [sys.executable, "-c", _FORKED, str(theirs.fileno()), RECORDING], pass_fds=[theirs.fileno()]
    )
    theirs.close()
    ours.settimeout(TIMEOUT)

    def end():
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def run_with(arguments, streams, *, folder=ROOT, environment=None):
    """Run a command with these three files as its standard streams; its exit code."""
    command = [PROGRAM, *map(str, arguments)]
    job = {"command": command, "folder": str(folder), "environment": environment or dict(os.environ)}
    server = _fork_server()
    socket.send_fds(server, [json.dumps(job).encode()], streams)
    return int(server.recv(16))


def headway(*arguments, stdin=None, folder=ROOT, text=False, **environment):
    """Run a command: its exit code, and the bytes (or the text) of its standard output and standard error."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
        given.write(stdin.encode() if text and stdin else stdin or b"")
        given.seek(0)
        streams = [file.fileno() for file in (given, out, said)]
        everything = {**os.environ, "COLUMNS": "120", **environment}
        code = run_with(arguments, streams, folder=folder, environment=everything)
        out.seek(0)
        said.seek(0)
        written = [file.read().decode() if text else file.read() for file in (out, said)]
        return subprocess.CompletedProcess(arguments, code, *written)
