"""A second snapshot costs little, and what is remembered for that can never make it wrong."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from headway.snapshots import Repository, export, forget, load, take
from tests.snapshots.projects import found, git, lines, plain, project, write

MANY = 5_000


def seconds(work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("large") / "project"
    files = {f"d{number % 50}/f{number}": lines(100, str(number)) for number in range(MANY)}
    return plain(folder, files)


def test_a_second_snapshot_of_many_files_does_not_hash_them_again(large):
    first = seconds(lambda: take(large, "first", "m"))
    write(large, {"d1/f1": b"changed\n"})
    second = min(seconds(lambda: take(large, "second", "m")) for _ in range(3))

    assert MANY == load(large, "second").files
    assert second < first / 3


def test_a_damaged_memory_is_made_anew(tmp_path):
    folder = project(tmp_path / "project", {"a": b"a\n"})
    first = take(folder, "first", "m")
    (Repository.at(folder).room / "index").write_bytes(b"DIRC nonsense")

    assert first.tree == take(folder, "second", "m").tree


def test_a_memory_of_files_that_git_has_cleaned_away_is_made_anew(tmp_path):
    folder = project(tmp_path / "project", {"a": b"a\n"})
    write(folder, {"d/untracked": b"u\n", "e/f": b"f\n"})
    take(folder, "first", "m")
    forget(folder)
    git(folder, "gc", "-q", "--prune=now")

    export(take(folder, "second", "m"), tmp_path / "out")

    assert found(folder) == found(tmp_path / "out")


def test_a_lock_left_by_a_killed_process_does_not_matter(tmp_path):
    folder = project(tmp_path / "project", {"a": b"a\n"})
    take(folder, "first", "m")
    (Repository.at(folder).room / "index.lock").write_bytes(b"")
    write(folder, {"b": b"b\n"})

    assert 2 == take(folder, "second", "m").files


def test_remains_of_killed_processes_are_swept(tmp_path):
    folder = project(tmp_path / "project", {"a": b"a\n"})
    room = Repository.at(folder).room
    for name in ("scratch-old", "scratch-new"):
        (room / name).mkdir()
    os.utime(room / "scratch-old", (1, 1))

    take(folder, "first", "m")

    assert ["scratch-new"] == [place.name for place in room.glob("scratch-*")]


PROGRAM = "import sys; from headway.snapshots import take; print(take(sys.argv[1], sys.argv[2], 'm').tree)"


def test_many_processes_at_once_all_get_it_right(tmp_path):
    """Also the very first ones, which make the private git directory."""
    folder = plain(tmp_path / "folder", {f"f{number}": lines(5, str(number)) for number in range(300)})

    running = [
        subprocess.Popen([sys.executable, "-c", PROGRAM, str(folder), f"p-{number}"], stdout=subprocess.PIPE)
        for number in range(6)
    ]
    trees = [process.communicate()[0].decode().strip() for process in running]

    assert [0] * 6 == [process.returncode for process in running]
    assert {take(folder, "last", "m").tree} == set(trees)


def test_a_process_killed_at_any_moment_breaks_nothing(tmp_path):
    folder = project(tmp_path / "project", {f"f{number}": lines(5, str(number)) for number in range(300)})
    before = git(folder, "ls-files", "--stage")
    whole = take(folder, "whole", "m")
    for number in range(12):
        write(folder, {f"f{number}": lines(6, str(number))})
        process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(folder), "killed"], stdout=subprocess.PIPE)
        time.sleep(0.02 * number)
        process.kill()
        process.communicate()

    export(take(folder, "after", "m"), tmp_path / "out")

    assert found(folder) == found(tmp_path / "out")
    assert whole == load(folder, "whole")
    assert before == git(folder, "ls-files", "--stage")
    git(folder, "fsck", "--strict")
