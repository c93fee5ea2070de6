"""Restoring with obstacles, failures and crafted paths."""

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
from tests.slow import slow
from tests.snapshots.projects import found, git, lines, plain, project, users_git, write


@pytest.fixture(params=["git", *slow("plain")])
def folder(request, tmp_path) -> Path:
    """The same project, with git and without."""
    start = {".gitignore": b"*.log\nshadow\n", "a": b"a\n", "d/x": b"x\n", "shadow-user/f": b"f\n"}
    return (project if request.param == "git" else plain)(tmp_path / "project", start)


def test_an_ignored_file_in_the_way_stops_a_restore_before_any_change(folder):
    """A folder is at the path of a file and contains something that no snapshot holds."""
    one = take(folder, "one", "m")
    (folder / "a").unlink()
    write(folder, {"a/inner": b"i\n", "a/secret.log": b"precious\n", "d/x": b"edited\n"})
    there = found(folder)

    with pytest.raises(RestoreError, match=r"a/secret\.log would have to be removed.*nothing changed$"):
        restore(folder, one, "kept")

    assert there == found(folder)


@pytest.mark.parametrize("kind", ["file", "link"])
def test_an_ignored_file_at_the_path_of_a_folder_stops_a_restore(folder, tmp_path, kind):
    write(folder, {"sub/inner": b"i\n"})
    one = take(folder, "one", "m")
    (folder / "sub" / "inner").unlink()
    (folder / "sub").rmdir()
    outside = plain(tmp_path / "outside", {"inner": b"theirs\n"})
    write(folder, {".gitignore": b"sub\n"})
    (folder / "sub").symlink_to(outside) if kind == "link" else write(folder, {"sub": b"mine\n"})
    there = found(folder)

    with pytest.raises(RestoreError, match="sub would have to be removed"):
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


def test_an_ignored_link_in_the_way_stops_a_restore(folder, tmp_path):
    outside = plain(tmp_path / "outside", {"x": b"theirs\n"})
    one = take(folder, "one", "m")
    (folder / "a").unlink()
    (folder / "a").mkdir()
    (folder / "a" / "shadow").symlink_to(outside)

    with pytest.raises(RestoreError, match=r"a/shadow would have to be removed, .*nothing changed"):
        restore(folder, one, "kept")

    assert outside == (folder / "a" / "shadow").readlink()


def test_files_behind_a_link_are_not_in_the_way(folder, tmp_path):
    """`d` is a link now, and `x` behind it is a folder. The link is removed, and nothing behind it is read."""
    outside = plain(tmp_path / "outside", {"x/deep": b"theirs\n"})
    one = take(folder, "one", "m")
    (folder / "d" / "x").unlink()
    (folder / "d").rmdir()
    (folder / "d").symlink_to(outside)

    restore(folder, one, "kept")

    assert b"x\n" == (folder / "d" / "x").read_bytes()
    assert {"x/deep": ("file", b"theirs\n")} == found(outside)


def test_no_file_is_written_or_removed_through_a_link(tmp_path):
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
    """A restore that fails: a limit on file sizes stands in for a full disk."""
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


def test_a_failed_restore_reports_what_was_done(interrupted):
    folder, there, error = interrupted

    assert ("a",) == error.done.written
    assert ("added",) == error.done.removed
    assert "File too large; files written: 1, removed: 1. To undo that: git" in str(error)
    expected = there | {"a": ("file", b"old\n")}
    del expected["added"]
    assert expected == found(folder)  # no half-written file, and no scratch file either


def test_the_command_in_the_error_undoes_a_failed_restore(interrupted):
    folder, there, error = interrupted

    subprocess.run(shlex.split(error.way_back), check=True, capture_output=True)

    assert error.way_back in str(error)
    assert there == found(folder)


def test_in_a_loop_the_undo_command_is_headway_rollback(folder):
    """It also removes new files that were written before the failure, which a plain git command would leave."""
    one = take(folder, "loops/it/round-001", "m")
    (folder / "a").unlink()
    write(folder, {"a/secret.log": b"precious\n"})

    with pytest.raises(RestoreError) as raised:
        restore(folder, one, "loops/it/before-rollback")

    assert "headway rollback it before-rollback" == raised.value.way_back


def test_a_failed_restore_can_be_finished_or_undone(interrupted):
    folder, there, error = interrupted

    restore(folder, error.done.kept, "again")
    assert there == found(folder)

    restore(folder, error.done.snapshot, "and-again")
    assert lines(100_000) == (folder / "huge").read_bytes()


def test_a_scratch_file_of_a_killed_restore_is_removed_by_the_next(tmp_path):
    root = plain(tmp_path / "root", {})
    seen: list[str] = []
    write_entry(root, StoredFile("a", "100644", "-"), lambda file: seen.extend(names_in(root)))
    assert seen[0].startswith(OWN_SCRATCH)
    write(root, {seen[0]: b"half"})

    write_entry(root, StoredFile("a", "100644", "-"), lambda file: None)

    assert ["a"] == names_in(root)


def test_a_file_name_of_maximum_length_can_be_written(tmp_path):
    root = plain(tmp_path / "root", {})

    write_entry(root, StoredFile("n" * 255, "100644", "-"), lambda file: None)

    assert ["n" * 255] == names_in(root)


def test_a_snapshot_of_another_project_changes_nothing(folder, tmp_path):
    other = take(project(tmp_path / "other", {"b": b"b\n"}), "one", "m")
    there = found(folder)

    with pytest.raises(GitError):
        restore(folder, other, "kept")

    assert there == found(folder)


def test_a_link_to_itself_can_be_replaced_by_a_folder_and_back(tmp_path):
    """Below such a link every path gives ELOOP, not just ENOENT."""
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
