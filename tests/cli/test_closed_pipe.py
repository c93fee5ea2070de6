"""Output that nobody reads to its end: `headway … | head -1` is no fault, and what a command does is done."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from tests.cli.test_commands import EXAMPLES
from tests.command import headway, run_with
from tests.loop.projects import agent, project, repair, suite

RECORDING = EXAMPLES / "round-and-round.jsonl"


def unread(folder, *arguments, errors_too=False):
    """Exit code and complaints of a command whose output leads into a pipe that nobody holds open."""
    reading, writing = os.pipe()
    os.close(reading)
    home = {name: str(folder / "home") for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")}
    with Path(os.devnull).open("rb") as nothing, os.fdopen(writing, "wb") as out, tempfile.TemporaryFile() as said:
        streams = [file.fileno() for file in (nothing, out, out if errors_too else said)]
        code = run_with(arguments, streams, folder=folder, environment={**os.environ, **home})
        said.seek(0)
        return code, said.read().decode()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A project in which a loop of two rounds was run, each of which repaired a test."""
    made = project(tmp_path_factory.mktemp("pipes") / "p")
    script = agent(made, r1=repair("t3"), r2=repair("t4"))
    loop = ["loop", "--task", "x", "--test", "sh check.sh", "--id", "it", "--max-rounds", "2", "--quiet"]
    headway(*loop, "--", script, folder=made)
    return made


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("--version",),
        ("scan", "--help"),
        ("calibrate", "--help"),
        ("config",),
        ("config", "--format", "json"),
        ("detectors",),
        ("detectors", "--format", "json"),
        ("explain", "exact_cycle"),
        ("doctor",),
        ("doctor", "--format", "json"),
        ("status",),
        ("status", "--format", "json"),
        ("probe", "--test", "sh check.sh"),
        ("probe", "--format", "json"),
        ("show", RECORDING),
        ("scan", EXAMPLES),
        ("scan", EXAMPLES, "--format", "json"),
        ("scan", EXAMPLES, "--format", "html"),
        ("convert", RECORDING, "--to", "events"),
        ("meaning", "Bash", "ls"),
        ("schema",),
        ("report", "it"),
        ("diff", "it", "1", "2"),
        ("diff", "it", "1", "2", "--stat"),
    ],
    ids=lambda given: " ".join(map(str, given)).replace(str(EXAMPLES), "recordings"),
)
def test_a_command_that_tells_something_ends_as_if_it_had(folder, arguments):
    assert (0, "") == unread(folder, *arguments)


def test_complaints_that_nobody_reads_do_not_change_the_exit_code(folder):
    assert 2 == unread(folder, "explain", "nonsense", errors_too=True)[0]
    assert 2 == unread(folder, "config", "--set", "loop.max_rounds=x", errors_too=True)[0]
    assert 0 == unread(folder, "detectors", errors_too=True)[0]


def test_what_a_command_does_is_done_although_nobody_listens(folder, tmp_path):
    made = shutil.copytree(folder, tmp_path / "p", symlinks=True)
    code, said = unread(made, "rollback", "it", "1", "--yes")
    assert 0 == code and "written: 1, removed: 0" in said
    assert "t4 bad" in suite(made)
    assert (0, "") == unread(made, "install", "claude-code", "qwen")
    assert all((made / "home" / name / "settings.json").is_file() for name in (".claude", ".qwen"))
    assert (0, "") == unread(made, "uninstall", "claude-code", "qwen")
    assert not any((made / "home" / name / "settings.json").exists() for name in (".claude", ".qwen"))


def test_a_loop_ends_with_its_own_exit_code(folder, tmp_path):
    made = shutil.copytree(folder, tmp_path / "p", symlinks=True)
    shutil.rmtree(made / ".headway")
    limits = ["--test", "sh check.sh", "--max-rounds", "1", "--quiet"]
    assert 3 == unread(made, "loop", "--task", "x", *limits, "--", "true")[0]
    assert 3 == unread(made, "loop", "--task", "x", *limits, "--", "true", errors_too=True)[0]
