"""Restoring when something is in the way, breaks off, or tries to lead it astray."""

import resource
import shlex
import subprocess
from pathlib import Path

import pytest

from headway.snapshots import GitError, RestoreError, restore, take
from headway.snapshots.files import remove
from headway.snapshots.files import write as write_entry
from headway.snapshots.names import OWN_SCRATCH
from headway.snapshots.snapshot import Snapshot
from headway.snapshots.trees import StoredFile
from tests.snapshots.projects import found, git, lines, plain, project, users_git, write


@pytest.fixture(params=["git", "plain"])
def folder(request, tmp_path) -> Path:
    """The same project, with git and without."""
    start = {".gitignore": b"*.log\nshadow\n", "a": b"a\n", "d/x": b"x\n", "shadow-user/f": b"f\n"}
    return (project if request.param == "git" else plain)(tmp_path / "project", start)


def test_an_ignored_file_in_the_way_stops_it_before_anything_changes(folder):
    """A folder stands where a file belongs, and in it something that no snapshot holds."""
    one = take(folder, "one", "m")
    (folder / "a").unlink()
    write(folder, {"a/inner": b"i\n", "a/secret.log": b"precious\n", "d/x": b"edited\n"})
    there = found(folder)

    with pytest.raises(RestoreError, match=r"a/secret\.log would have to go.*nothing changed$"):
        restore(folder, one, "kept")

    assert there == found(folder)


@pytest.mark.parametrize("kind", ["file", "link"])
def test_an_ignored_thing_where_a_folder_belongs_stops_it_too(folder, tmp_path, kind):
    write(folder, {"sub/inner": b"i\n"})
    one = take(folder, "one", "m")
    (folder / "sub" / "inner").unlink()
    (folder / "sub").rmdir()
    outside = plain(tmp_path / "outside", {"inner": b"theirs\n"})
    write(folder, {".gitignore": b"sub\n"})
    (folder / "sub").symlink_to(outside) if kind == "link" else write(folder, {"sub": b"mine\n"})
    there = found(folder)

    with pytest.raises(RestoreError, match="sub would have to go"):
        restore(folder, one, "kept")

    assert there == found(folder)
    assert {"inner": ("file", b"theirs\n")} == found(outside)


def test_a_link_to_outside_is_replaced_and_never_followed(folder, tmp_path):
    outside = plain(tmp_path / "outside", {"x": b"theirs\n", "file": b"theirs\n"})
    one = take(folder, "one", "m")
    (folder / "d" / "x").unlink()
    (folder / "d").rmdir()
    (folder / "d").symlink_to(outside)
    (folder / "a").unlink()
    (folder / "a").symlink_to(outside / "file")
    (folder / "new").symlink_to(outside)

    back = restore(folder, one, "kept")

    assert {"x": ("file", b"theirs\n"), "file": ("file", b"theirs\n")} == found(outside)
    assert b"x\n" == (folder / "d" / "x").read_bytes() and not (folder / "d").is_symlink()
    assert b"a\n" == (folder / "a").read_bytes() and not (folder / "a").is_symlink()
    assert ("d", "new") == back.removed and ("a", "d/x") == back.written
    restore(folder, back.kept, "again")
    assert outside == (folder / "d").readlink()
    assert {"x": ("file", b"theirs\n"), "file": ("file", b"theirs\n")} == found(outside)


def test_an_ignored_link_in_the_way_stops_it_as_well(folder, tmp_path):
    outside = plain(tmp_path / "outside", {"x": b"theirs\n"})
    one = take(folder, "one", "m")
    (folder / "a").unlink()
    (folder / "a").mkdir()
    (folder / "a" / "shadow").symlink_to(outside)

    with pytest.raises(RestoreError, match=r"a/shadow would have to go, .*nothing changed"):
        restore(folder, one, "kept")

    assert outside == (folder / "a" / "shadow").readlink()


def test_what_lies_behind_a_link_is_not_in_the_way(folder, tmp_path):
    """`d` is a link now, and behind it `x` is a folder; the link goes, and nothing behind it is looked at."""
    outside = plain(tmp_path / "outside", {"x/deep": b"theirs\n"})
    one = take(folder, "one", "m")
    (folder / "d" / "x").unlink()
    (folder / "d").rmdir()
    (folder / "d").symlink_to(outside)

    restore(folder, one, "kept")

    assert b"x\n" == (folder / "d" / "x").read_bytes()
    assert {"x/deep": ("file", b"theirs\n")} == found(outside)


def test_neither_writing_nor_removing_passes_through_a_link(tmp_path):
    outside = plain(tmp_path / "outside", {"x": b"theirs\n"})
    root = plain(tmp_path / "root", {})
    (root / "d").symlink_to(outside)

    with pytest.raises(NotADirectoryError):
        write_entry(root, StoredFile("d/new", "100644", "-"), lambda file: None)
    with pytest.raises(NotADirectoryError):
        remove(root, "d/x")

    assert {"x": ("file", b"theirs\n")} == found(outside)


@pytest.mark.parametrize("path", ["../x", "a/../../x", "/etc/x", ".git/hooks/pre-commit", "d/.GIT/config", "a//b", "."])
def test_a_crafted_path_is_refused(tmp_path, path):
    root = plain(tmp_path / "root", {})

    with pytest.raises(ValueError, match="not a path that a snapshot may hold"):
        write_entry(root, StoredFile(path, "100644", "-"), lambda file: None)
    with pytest.raises(ValueError, match="not a path that a snapshot may hold"):
        remove(root, path)

    assert [] == list(root.iterdir()) and ["root"] == names_in(tmp_path)


def test_a_crafted_snapshot_cannot_write_into_git(tmp_path):
    """An agent can make any tree; `mktree` does not check names."""
    folder = project(tmp_path / "project", {"a": b"a\n"})
    blob = git(folder, "rev-parse", "HEAD:a").strip()
    inner = _mktree(folder, f"100755 blob {blob}\tpre-commit\n")
    tree = _mktree(folder, f"040000 tree {inner}\t.git\n")
    before = users_git(folder)

    with pytest.raises(RestoreError, match="may hold"):
        restore(folder, Snapshot(str(folder), "refs/headway/evil", "-", tree), "kept")

    assert before == users_git(folder)


def names_in(folder: Path) -> list[str]:
    return [place.name for place in folder.iterdir()]


def _mktree(folder: Path, text: str) -> str:
    done = subprocess.run(["git", "mktree"], cwd=folder, input=text.encode(), capture_output=True, check=True)
    return done.stdout.decode().strip()


@pytest.fixture
def interrupted(folder) -> tuple[Path, dict, RestoreError]:
    """A restore that breaks off: files may not grow beyond a limit, as on a full disk."""
    write(folder, {"a": b"old\n", "huge": lines(100_000), "zz": b"old\n"})
    one = take(folder, "one", "m")
    write(folder, {"a": b"new\n", "huge": b"small\n", "zz": b"new\n", "added": b"added\n"})
    there = found(folder)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, before[1]))
    try:
        with pytest.raises(RestoreError) as raised:
            restore(folder, one, "kept")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    return folder, there, raised.value


def test_breaking_off_midway_says_what_was_done(interrupted):
    folder, there, error = interrupted

    assert ("a",) == error.done.written
    assert ("added",) == error.done.removed
    assert "File too large; files written: 1, removed: 1. To undo that: git" in str(error)
    expected = there | {"a": ("file", b"old\n")}
    del expected["added"]
    assert expected == found(folder)  # no half-written file, and no scratch file either


def test_after_breaking_off_the_command_in_the_message_brings_the_files_back(interrupted):
    folder, there, error = interrupted

    subprocess.run(shlex.split(error.way_back), check=True, capture_output=True)

    assert error.way_back in str(error)
    assert there == found(folder)


def test_for_what_a_loop_kept_the_command_is_our_own(folder):
    """It also removes what was written until then and had not been there before, which git leaves alone."""
    one = take(folder, "loops/it/round-001", "m")
    (folder / "a").unlink()
    write(folder, {"a/secret.log": b"precious\n"})

    with pytest.raises(RestoreError) as raised:
        restore(folder, one, "loops/it/before-rollback")

    assert "headway rollback it before-rollback" == raised.value.way_back


def test_after_breaking_off_it_can_be_restored_either_way(interrupted):
    folder, there, error = interrupted

    restore(folder, error.done.kept, "again")
    assert there == found(folder)

    restore(folder, error.done.snapshot, "and-again")
    assert lines(100_000) == (folder / "huge").read_bytes()


def test_a_scratch_file_of_a_killed_restore_is_cleared_by_the_next(tmp_path):
    root = plain(tmp_path / "root", {})
    seen: list[str] = []
    write_entry(root, StoredFile("a", "100644", "-"), lambda file: seen.extend(names_in(root)))
    assert seen[0].startswith(OWN_SCRATCH)
    write(root, {seen[0]: b"half"})

    write_entry(root, StoredFile("a", "100644", "-"), lambda file: None)

    assert ["a"] == names_in(root)


def test_a_name_of_the_greatest_length_can_be_written(tmp_path):
    root = plain(tmp_path / "root", {})

    write_entry(root, StoredFile("n" * 255, "100644", "-"), lambda file: None)

    assert ["n" * 255] == names_in(root)


def test_a_snapshot_of_another_project_changes_nothing(folder, tmp_path):
    other = take(project(tmp_path / "other", {"b": b"b\n"}), "one", "m")
    there = found(folder)

    with pytest.raises(GitError):
        restore(folder, other, "kept")

    assert there == found(folder)


def test_a_link_to_itself_gives_way_to_folders_and_comes_back(tmp_path):
    """Below such a link every path is an endless loop, not just missing."""
    folder = project(tmp_path / "project", {})
    (folder / "a").symlink_to("a")
    link, with_link = found(folder), take(folder, "one", "m")
    (folder / "a").unlink()
    write(folder, {"a/a/file": b"f\n"})
    folders, with_folders = found(folder), take(folder, "two", "m")

    restore(folder, with_link, "kept")
    assert link == found(folder)
    restore(folder, with_folders, "kept")
    assert folders == found(folder)
