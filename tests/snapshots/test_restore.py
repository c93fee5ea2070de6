import shutil
from pathlib import Path

import pytest

from headway.snapshots import Repository, export, list_snapshots, load, restore, take
from tests.snapshots.projects import commit_all, found, git, plain, project, write

START = {"a": b"a\n", "d/x": b"x\n", "d/y": b"y\n", "run": b"#!/bin/sh\n"}


@pytest.fixture(params=["git", "plain"])
def folder(request, tmp_path) -> Path:
    """The same project, with git and without."""
    made = (project if request.param == "git" else plain)(tmp_path / "project", START)
    (made / "run").chmod(0o755)
    (made / "link").symlink_to("a")
    return made


def edit(folder: Path) -> None:
    write(folder, {"a": b"edited\n", "d/x": b""})


def delete(folder: Path) -> None:
    (folder / "a").unlink()
    shutil.rmtree(folder / "d")


def add(folder: Path) -> None:
    write(folder, {"new": b"new\n", "e/f/g": b"deep\n", "d/z": b"z\n"})


def file_to_folder(folder: Path) -> None:
    (folder / "a").unlink()
    write(folder, {"a/inner/most": b"m\n"})


def folder_to_file(folder: Path) -> None:
    shutil.rmtree(folder / "d")
    write(folder, {"d": b"file\n"})


def file_to_link(folder: Path) -> None:
    (folder / "a").unlink()
    (folder / "a").symlink_to("run")


def link_to_file(folder: Path) -> None:
    (folder / "link").unlink()
    write(folder, {"link": b"file\n"})


def folder_to_link(folder: Path) -> None:
    (folder / "d").rename(folder / "elsewhere")
    (folder / "d").symlink_to("elsewhere")


def link_to_folder(folder: Path) -> None:
    (folder / "link").unlink()
    write(folder, {"link/inner": b"i\n"})


def bits(folder: Path) -> None:
    (folder / "run").chmod(0o644)
    (folder / "a").chmod(0o755)


def file_to_hollow_folder(folder: Path) -> None:
    (folder / "a").unlink()
    (folder / "a" / "in" / "most").mkdir(parents=True)


MUTATIONS = [
    edit,
    delete,
    add,
    file_to_folder,
    folder_to_file,
    file_to_link,
    link_to_file,
    folder_to_link,
    link_to_folder,
    bits,
    file_to_hollow_folder,
]


@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
def test_restoring_there_and_back(folder, mutate):
    first = found(folder)
    one = take(folder, "one", "m")
    mutate(folder)
    second = found(folder)

    back = restore(folder, one, "kept")

    assert first == found(folder)
    assert first != second
    restore(folder, back.kept, "again")
    assert second == found(folder)


def test_restoring_reports_what_it_wrote_and_removed(folder):
    one = take(folder, "one", "m")
    add(folder)
    edit(folder)
    untouched = (folder / "run").stat()

    back = restore(folder, one, "kept")

    assert ("a", "d/x") == back.written
    assert ("d/z", "e/f/g", "new") == back.removed
    assert untouched.st_ino == (folder / "run").stat().st_ino
    assert untouched.st_mtime_ns == (folder / "run").stat().st_mtime_ns
    assert not (folder / "e").exists()


def test_restoring_the_current_state_changes_nothing(folder):
    one = take(folder, "one", "m")

    back = restore(Repository.at(folder), one, "kept")

    assert ((), ()) == (back.written, back.removed)
    assert one.tree == back.kept.tree


def test_ignored_files_stay(folder):
    write(folder, {".gitignore": b"*.log\ncache/\n"})
    one = take(folder, "one", "m")
    write(folder, {"new/a.py": b"x\n", "new/b.log": b"noise\n", "cache/x": b"x\n"})

    restore(folder, one, "kept")

    assert b"noise\n" == (folder / "new" / "b.log").read_bytes()
    assert b"x\n" == (folder / "cache" / "x").read_bytes()
    assert not (folder / "new" / "a.py").exists()


def test_a_newly_ignored_file_is_saved_before_it_is_overwritten(folder):
    write(folder, {"data.log": b"old\n"})
    one = take(folder, "one", "m")
    write(folder, {".gitignore": b"*.log\n", "data.log": b"precious\n"})

    back = restore(folder, one, "kept")
    assert b"old\n" == (folder / "data.log").read_bytes()

    restore(folder, back.kept, "again")
    assert b"precious\n" == (folder / "data.log").read_bytes()


def test_a_saved_state_is_never_replaced(folder):
    one = take(folder, "one", "m")
    for content in (b"first\n", b"second\n", b"third\n"):
        write(folder, {"a": content})
        restore(folder, one, "loops/kept")

    kept = list_snapshots(folder, "loops")

    assert ["kept", "kept-2", "kept-3"] == [each.ref.split("/")[-1] for each in kept]
    restore(folder, load(folder, "loops/kept"), "again")
    assert b"first\n" == (folder / "a").read_bytes()


def test_a_restored_file_keeps_its_permissions(folder):
    (folder / "a").chmod(0o600)
    one = take(folder, "one", "m")
    write(folder, {"a": b"edited\n"})

    restore(folder, one, "kept")

    assert 0o600 == (folder / "a").stat().st_mode & 0o777


def test_a_read_only_file_is_restored(folder):
    one = take(folder, "one", "m")
    write(folder, {"a": b"edited\n"})
    (folder / "a").chmod(0o444)

    restore(folder, one, "kept")

    assert b"a\n" == (folder / "a").read_bytes()


def test_commits_made_since_stay(tmp_path):
    folder = project(tmp_path / "project", START)
    one = take(folder, "one", "m")
    write(folder, {"a": b"committed\n"})
    commit_all(folder)
    head = git(folder, "rev-parse", "HEAD")

    restore(folder, one, "kept")

    assert head == git(folder, "rev-parse", "HEAD")
    assert b"a\n" == (folder / "a").read_bytes()


def test_a_snapshot_can_be_restored_from_another_folder_of_the_project(tmp_path):
    folder = project(tmp_path / "project", START)
    one = take(folder / "d", "one", "m")
    edit(folder)

    restore(folder / "d", load(folder, "one"), "kept")

    assert {name: content for name, (_, content) in found(folder).items()} == START
    assert 4 == one.files


def test_export_refuses_a_folder_that_is_not_empty(tmp_path):
    folder = project(tmp_path / "project", {"a": b"a\n"})
    snapshot = take(folder, "a", "m")
    full = plain(tmp_path / "full", {"mine": b"mine\n"})

    for target in (full, full / "mine"):
        with pytest.raises(FileExistsError, match="not an empty folder"):
            export(snapshot, target)

    assert {"mine": ("file", b"mine\n")} == found(full)
    (tmp_path / "hollow").mkdir()
    assert 1 == export(snapshot, tmp_path / "hollow")
