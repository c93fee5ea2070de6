"""Git lists the files only if a folder has changed, and the cached listing never hides a file."""

import os
import shutil
import time
from pathlib import Path

import pytest

from headway.snapshots import Repository, Snapshot, export, folders, is_unchanged, take
from headway.snapshots.git import find_program
from tests.slow import slow
from tests.snapshots.projects import found, git, plain, project, write

FILES = {"a/one.py": b"1\n", "a/b/two.py": b"2\n", "c/three.py": b"3\n", ".gitignore": b"out/\ntmp/*\n!tmp/kept\n"}


@pytest.fixture(autouse=True)
def times_are_soon_old(monkeypatch):
    """Times are trusted early, so that no test waits two seconds. File times have a resolution of up to 10 ms."""
    monkeypatch.setattr(folders, "YOUNG", 20_000_000)


class Asked:
    """A git in the PATH that records its arguments and then runs the real one."""

    def __init__(self, folder: Path) -> None:
        self._told, real = folder / "told", find_program("git")
        folder.mkdir()
        (folder / "git").write_text(f'#!/bin/sh\necho "$*" >> "{self._told}"\nexec "{real}" "$@"\n')
        (folder / "git").chmod(0o755)

    def for_files(self) -> int:
        """How often it listed files since the last call."""
        told = self._told.read_text().splitlines() if self._told.exists() else []
        self._told.unlink(missing_ok=True)
        return sum("ls-files -z -t --stage --others" in line for line in told)


@pytest.fixture
def asked(tmp_path, monkeypatch) -> Asked:
    watched = Asked(tmp_path / "programs")
    monkeypatch.setenv("PATH", f"{tmp_path / 'programs'}{os.pathsep}{os.environ['PATH']}")
    return watched


def settled(folder: Path) -> Snapshot:
    """A loop's project with a cached listing: all its folders were checked, and their times are old."""
    first = take(folder, "first", "m", first=True)
    for number in range(3):
        time.sleep(0.03)
        take(folder, f"settling-{number}", "m", like=first)
    return first


def test_git_does_not_list_files_while_no_folder_changes(tmp_path, asked):
    folder = project(tmp_path / "project", FILES)
    first = settled(folder)
    asked.for_files()

    with (folder / "a" / "one.py").open("a") as file:
        file.write("more\n")
    second = take(folder, "second", "m", like=first)

    assert 0 == asked.for_files()
    assert first.tree != second.tree
    export(second, tmp_path / "out")
    assert found(folder) == found(tmp_path / "out")


def make(folder: Path) -> None:
    write(folder, {"a/b/new.py": b"new\n"})


def make_in_a_new_folder(folder: Path) -> None:
    write(folder, {"d/e/f/new.py": b"new\n"})


def make_in_an_empty_folder(folder: Path) -> None:
    write(folder, {"empty/new.py": b"new\n"})


def make_what_a_rule_lets_through(folder: Path) -> None:
    write(folder, {"tmp/kept": b"new\n"})


def remove(folder: Path) -> None:
    (folder / "a" / "b" / "two.py").unlink()


def remove_a_folder(folder: Path) -> None:
    shutil.rmtree(folder / "a")


def rename(folder: Path) -> None:
    (folder / "a" / "one.py").rename(folder / "a" / "other.py")


def move_a_folder(folder: Path) -> None:
    (folder / "a" / "b").rename(folder / "c" / "b")


def put_in_its_place(folder: Path) -> None:
    write(folder, {"a/beside": b"other\n"})
    (folder / "a" / "beside").replace(folder / "a" / "one.py")


def hide_the_time(folder: Path) -> None:
    """A program can set the mtime of a folder, but not its ctime."""
    before = (folder / "a").stat()
    write(folder, {"a/new.py": b"new\n"})
    os.utime(folder / "a", ns=(before.st_atime_ns, before.st_mtime_ns))


def nest_a_repository(folder: Path) -> None:
    git(folder / "a", "init", "-q")
    write(folder, {"a/new.py": b"new\n"})


CHANGES = [
    make, make_in_a_new_folder, make_in_an_empty_folder, make_what_a_rule_lets_through, remove, remove_a_folder, rename,
    move_a_folder, put_in_its_place, hide_the_time, nest_a_repository,
]  # fmt: skip


@pytest.mark.parametrize(
    ("make_project", "change"),
    [
        *((project, change) for change in CHANGES),
        (plain, make),
        (plain, remove),
        *slow(*((plain, change) for change in CHANGES if change not in (make, remove))),
    ],
)
def test_every_change_of_a_folder_is_found(tmp_path, change, make_project):
    folder = make_project(tmp_path / "project", FILES)
    for name in ("empty", "tmp"):
        (folder / name).mkdir()
    first = settled(folder)
    assert is_unchanged(Repository.at(folder), first)

    change(folder)

    assert not is_unchanged(Repository.at(folder), first)
    export(take(folder, "second", "m", like=first), tmp_path / "out")
    assert found(folder) == found(tmp_path / "out")


def test_new_folders_are_watched_too(tmp_path, asked):
    folder = project(tmp_path / "project", FILES)
    first = settled(folder)
    write(folder, {"d/e/new.py": b"new\n", "out/ignored": b"i\n", "out/deep/ignored": b"i\n"})
    for number in range(3):
        time.sleep(0.03)
        take(folder, f"again-{number}", "m", like=first)
    asked.for_files()

    write(folder, {"out/deep/also": b"i\n"})
    second = take(folder, "second", "m", like=first)
    assert 0 == asked.for_files()  # nothing in an ignored folder is part of the project

    write(folder, {"d/e/newer.py": b"newer\n"})
    assert second.files + 1 == take(folder, "third", "m", like=first).files
    assert 1 == asked.for_files()


def test_a_recent_folder_time_is_not_trusted(tmp_path, asked, monkeypatch):
    monkeypatch.setattr(folders, "YOUNG", 3600 * 10**9)
    folder = project(tmp_path / "project", FILES)
    first = settled(folder)
    asked.for_files()

    take(folder, "second", "m", like=first)

    assert 1 == asked.for_files()


def test_files_with_their_old_content_are_unchanged_and_those_with_a_new_one_are_not(tmp_path):
    folder = project(tmp_path / "project", FILES)
    first, repository = settled(folder), Repository.at(folder)

    (folder / "a" / "one.py").touch()
    assert is_unchanged(repository, first)
    write(folder, {"a/one.py": b"9\n"})
    assert not is_unchanged(repository, first)
    write(folder, {"a/one.py": b"1\n"})
    assert is_unchanged(repository, first)


def test_a_listed_file_that_reappears_is_a_change(tmp_path):
    folder = project(tmp_path / "project", FILES)
    (folder / "c" / "three.py").unlink()
    first, repository = settled(folder), Repository.at(folder)
    assert is_unchanged(repository, first)

    write(folder, {"c/three.py": b"3\n"})

    assert not is_unchanged(repository, first)


def test_with_a_nested_repository_git_lists_files_every_time(tmp_path, asked):
    folder = project(tmp_path / "project", FILES)
    project(folder / "nested", {"inner": b"i\n"})
    first = settled(folder)
    asked.for_files()

    take(folder, "second", "m", like=first)

    assert 2 == asked.for_files()  # once for each of the two repositories
