"""Whoever only looks at a project runs nothing of it."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from headway.cli import run
from headway.setup import agents
from tests.security.hostile import hostile_clone, hostile_project
from tests.snapshots.projects import own_settings

HEADWAY = Path(sys.executable).parent / "headway"
LOOKING = {
    "scan": ["scan", "."],
    "scan as HTML": ["scan", ".", "--format", "html", "--jobs", "1"],
    "show": ["show", "session.jsonl"],
    "convert": ["convert", "session.jsonl", "--to", "atif"],
    "doctor": ["doctor"],
    "status": ["status"],
    "config": ["config"],
    "probe --dry": ["probe", "--dry"],
    "detectors": ["detectors"],
    "explain": ["explain", "exact_cycle"],
    "meaning": ["meaning", "Bash", "npm test"],
    "report": ["report"],
    "report of a loop": ["report", "last"],
    "diff of two rounds": ["diff", "last", "baseline", "1"],
    "diff with now": ["diff", "last", "1", "now"],
    "diff in numbers": ["diff", "last", "baseline", "now", "--stat"],
    "install --dry-run": ["install", *agents(), "--project", "--dry-run"],
}


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Iterator[tuple[Path, Path]]:
    """The project, and the folder where what was run leaves a file."""
    top = tmp_path_factory.mktemp("hostile")
    with pytest.MonkeyPatch.context() as patch:
        own_settings(tmp_path_factory.mktemp("settings"), patch)
        (top / "marks").mkdir()
        hostile_project(top / "project", top / "marks")
        hostile_clone(top / "clone", top / "marks")
        yield top, top / "marks"


@pytest.fixture
def project(place, tmp_path, monkeypatch) -> Path:
    top, marks = place
    for mark in marks.iterdir():  # left by git while the project was made, or by a test that failed
        mark.unlink()
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "HEADWAY_STATE_DIR", "CODEX_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(top / "project")
    monkeypatch.setenv("PATH", os.pathsep.join([os.environ["PATH"], "."]))
    return top / "project"


def ran(place) -> list[str]:
    return sorted(mark.name for mark in place[1].iterdir())


@pytest.mark.parametrize("arguments", LOOKING.values(), ids=LOOKING)
def test_looking_runs_nothing(arguments, place, project, capsys):
    code = run(arguments)
    out, err = capsys.readouterr()
    assert code in (0, 1) and out, err
    assert [] == ran(place)


@pytest.mark.parametrize("name", ["diff of two rounds", "diff with now", "diff in numbers", "report of a loop"])
def test_a_git_directory_that_came_with_the_project_runs_nothing(name, place, project, monkeypatch, capsys):
    monkeypatch.chdir(place[0] / "clone")
    assert 0 == run(LOOKING[name]), capsys.readouterr().err
    assert [] == ran(place)
