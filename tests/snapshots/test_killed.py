"""`kill -9` at random moments, including git: saved snapshots stay complete, and the next one works."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from headway.snapshots import Repository, export, list_snapshots, restore, take
from tests.snapshots.projects import found, git, lines, plain, project, users_git, write

MOMENTS = 6
FILES = 60
WORK = """
import sys
from headway.snapshots import load, restore, take
what, folder, name = sys.argv[1:]
snapshot = load(folder, name) if what == "restore" else None
print("ready", flush=True)
if snapshot:
    restore(folder, snapshot, "kept/state")
else:
    take(folder, name, "m")
"""


def start(what: str, folder: Path, name: str) -> subprocess.Popen:
    """A process that is ready to start the work. It and its git processes are one process group."""
    words = [sys.executable, "-c", WORK, what, str(folder), name]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, start_new_session=True)
    assert process.stdout is not None
    assert b"ready\n" == process.stdout.readline()
    return process


def seconds_of(what: str, folder: Path, name: str) -> float:
    process = start(what, folder, name)
    began = time.perf_counter()
    process.communicate()
    assert 0 == process.returncode
    return time.perf_counter() - began


def kill_after(seconds: float, what: str, folder: Path, name: str, since: Callable[[], bool] = lambda: True) -> None:
    """Kill it this many seconds after it began, or after a condition became true."""
    process = start(what, folder, name)
    while not since():
        time.sleep(0.001)
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def whole(folder: Path) -> None:
    """Check that all objects of our refs exist."""
    repository = Repository.at(folder)
    repository.store.run("rev-list", "--objects", *(one.commit for one in list_snapshots(repository)))


@pytest.fixture
def folder(tmp_path) -> Path:
    """A project with staged work and a nested repository."""
    made = project(tmp_path / "project", {f"d{n % 7}/f{n}": lines(200, str(n)) for n in range(FILES)})
    project(made / "inner", {"i": b"i\n"})
    write(made, {"staged": b"s\n"})
    git(made, "add", "staged")
    return made


def edit(folder: Path, mark: int) -> None:
    """Change half of the files, add some and remove some."""
    write(folder, {f"d{n % 7}/f{n}": lines(200 + n % 3, f"{mark} {n}") for n in range(0, FILES, 2)})
    write(folder, {f"new{mark}/{n}": lines(50, str(n)) for n in range(20)})
    (folder / f"d{mark % 7}" / f"f{mark}").unlink(missing_ok=True)
    write(folder, {"inner/i": b"%d\n" % mark})


@pytest.mark.slow
def test_a_killed_take_leaves_nothing_partial(folder, tmp_path):
    theirs, chance = users_git(folder), random.Random(6)
    first = take(folder, "first", "m")
    edit(folder, 1)
    usual = seconds_of("take", folder, "usual")
    for number in range(MOMENTS):
        edit(folder, 2 + number)
        kill_after(chance.uniform(0, usual * 1.2), "take", folder, f"killed/{number % 3}")
        whole(folder)
        assert theirs == users_git(folder)

    after = take(folder, "killed/0", "m")

    export(after, tmp_path / "after")
    assert found(folder) == found(tmp_path / "after")
    assert first in list_snapshots(folder)
    assert [] == list(Repository.at(folder).room.glob("scratch-*"))
    git(folder, "fsck", "--strict")


@pytest.mark.slow
def test_a_killed_restore_loses_nothing(folder):
    theirs, chance = users_git(folder), random.Random(66)
    there = found(folder)
    first = take(folder, "first", "m")
    edit(folder, 1)
    usual = seconds_of("restore", folder, "first")
    assert there == found(folder)
    for number in range(MOMENTS):
        edit(folder, 2 + number)
        edited, kept = found(folder), len(list_snapshots(folder, "kept"))
        ref = folder / ".git" / "refs" / "headway" / "kept" / f"state-{kept + 1}"
        since = ref.exists if number % 2 else folder.exists  # every other one is killed while files are being written
        kill_after(chance.uniform(0, usual / (1 + number % 2)), "restore", folder, "first", since)
        whole(folder)
        assert theirs == users_git(folder)

        for state in list_snapshots(folder, "kept")[kept:]:  # none, if it was killed before anything changed
            restore(folder, state, "again")
        assert edited == found(folder)  # whatever was there can be had again, and no half-written file stays

        restore(folder, first, "again")
        assert there == found(folder)
    assert len(list_snapshots(folder, "kept")) >= MOMENTS // 2


def test_a_killed_first_snapshot_can_be_taken_again(tmp_path):
    """Killed while the private git directory is being created."""
    chance = random.Random(666)
    usual = seconds_of("take", plain(tmp_path / "usual", {"a": b"a\n"}), "one")
    for number in range(MOMENTS // 2):
        folder = plain(tmp_path / f"p{number}", {"a": b"a\n", "d/b": b"b\n"})
        kill_after(chance.uniform(0, usual), "take", folder, "one")

        export(take(folder, "two", "m"), tmp_path / f"out{number}")

        assert found(folder) == found(tmp_path / f"out{number}")
        assert [] == list((folder / ".headway").glob("headway-making-*"))
