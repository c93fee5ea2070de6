"""A home and a project of its own for each run of a program, and no process left behind."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path

TIMEOUT = 120
"""Seconds for one run of an agent; a healthy one takes two to ten."""


@dataclass
class Ran:
    """What came of one run of an agent."""

    exit_code: int
    stdout: str
    stderr: str
    left_running: list[int]
    """Processes of the run that were still there after it; they have been ended."""


@dataclass
class Place:
    """A scratch home and project, beside the scripted model's address."""

    folder: Path
    url: str = ""
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self):
        for folder in (self.home, self.project, self.folder / "tmp"):
            folder.mkdir(parents=True, exist_ok=True)

    @property
    def home(self):
        return self.folder / "home"

    @property
    def project(self):
        return self.folder / "project"

    def write(self, path, content):
        """Put a file below the home."""
        file = self.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content, indent=2) + "\n")
        return file

    def call_in_place_of_headway(self, program):
        """Let the settings that call the hook call another program."""
        settings = [
            file for file in self.home.rglob("*") if file.is_file() and b"headway hook --agent" in file.read_bytes()
        ]
        assert settings
        for file in settings:
            file.write_bytes(re.sub(rb"[^ \"]*headway hook", str(program).encode(), file.read_bytes()))

    def variables(self):
        """Only what is named here reaches a program: nothing of the person's own settings, and no key."""
        return {
            "HOME": str(self.home),
            "PATH": os.pathsep.join(_program_folders()),
            "TMPDIR": str(self.folder / "tmp"),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            **self.environment,
        }

    def run(self, *command, timeout=TIMEOUT, stdin="", interrupt_when=None):
        """Run a command here, and everything that it started ends with it. It may be interrupted, as by Ctrl-C."""
        token = uuid.uuid4().hex
        process = subprocess.Popen(
            list(map(str, command)), cwd=self.project, env={**self.variables(), "HEADWAY_E2E_RUN": token}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        if interrupt_when is not None:
            threading.Thread(target=_interrupt, args=(process, interrupt_when), daemon=True).start()
        try:
            stdout, stderr = process.communicate(stdin, timeout=timeout)
            _wait_for_all(token)
        finally:
            left = _end_all(token)
            process.wait()
        return Ran(process.returncode, stdout, stderr, left)


def _interrupt(process, is_time):
    while process.poll() is None and not is_time():
        time.sleep(0.1)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)


def _wait_for_all(token, patience=5.0):
    """A last hook may still be running when its agent has ended."""
    deadline = time.monotonic() + patience
    while _running(token) and time.monotonic() < deadline:
        time.sleep(0.05)


def _end_all(token):
    """End every process that carries the run's mark, and tell which there were."""
    marked = _running(token)
    for process in marked:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            continue
    return marked


def _running(token):
    marked = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if f"HEADWAY_E2E_RUN={token}".encode() in (entry / "environ").read_bytes():
                marked.append(int(entry.name))
        except OSError:
            continue
    return marked


def _program_folders():
    """Where programs are found: this environment first (for `headway`), Node, and the system's."""
    node = shutil.which("node")
    found = [Path(sys.executable).parent, Path(node).parent if node else None, "/usr/local/bin", "/usr/bin", "/bin"]
    return [str(folder) for folder in found if folder]
