import json

import pytest

from headway.cli import run
from tests.loop.projects import HEADWAY, project


class Loop:
    """`headway loop` in a folder: its exit code, its result, and its messages."""

    def __init__(self, folder, capfd):
        self.folder, self.capfd = folder, capfd
        self.said = ""

    def __call__(self, *arguments, task="make it work"):
        """Run a new loop."""
        return self.run("--task", task, *HEADWAY, *arguments)

    def resume(self, *arguments):
        return self.run("--resume", "it", "--format", "json", *arguments)

    def run(self, *arguments):
        self.capfd.readouterr()
        code = run(["loop", *map(str, arguments)])
        out, self.said = self.capfd.readouterr()
        return code, json.loads(out) if out.startswith("{") else out


@pytest.fixture
def folder(tmp_path, monkeypatch):
    made = project(tmp_path / "p")
    monkeypatch.chdir(made)
    return made


@pytest.fixture
def loop(folder, capfd):
    return Loop(folder, capfd)
