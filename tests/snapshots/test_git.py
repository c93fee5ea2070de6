import os
from contextlib import nullcontext
from pathlib import Path

import pytest

from headway.snapshots import GitError, git_is_installed, list_snapshots, restore, take
from headway.snapshots.git import Blobs, Git
from tests.snapshots.projects import found, git, plain, project, users_git


def test_git_is_installed_only_if_it_runs(tmp_path, monkeypatch):
    assert git_is_installed()

    monkeypatch.setenv("PATH", str(tmp_path))

    assert not git_is_installed()


def test_a_missing_git_gives_a_clear_error(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(GitError, match="could not be started"):
        take(tmp_path, "a", "m")


def test_an_error_has_the_command_the_folder_and_gits_message(tmp_path):
    with pytest.raises(GitError) as raised:
        Git(tmp_path).run("rev-parse", "--show-toplevel")

    assert "git rev-parse failed in" in str(raised.value)
    assert str(tmp_path) in str(raised.value)
    assert "not a git repository" in raised.value.message


def test_a_repository_named_by_the_environment_is_not_used(tmp_path, monkeypatch):
    """Inside a git hook these variables point to the repository that is being committed to."""
    other = project(tmp_path / "other", {"other.txt": b"other\n"})
    mine = project(tmp_path / "mine", {"mine.txt": b"mine\n"})
    before = users_git(other)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other / ".git" / "objects"))

    snapshot = take(mine, "a", "m")

    monkeypatch.undo()
    assert str(mine) == snapshot.folder
    assert "mine.txt\n" == git(mine, "ls-tree", "--name-only", snapshot.commit)
    assert before == users_git(other)
    assert "" == git(other, "for-each-ref", "refs/headway")


def test_it_works_without_a_git_user_name(tmp_path, own_git_settings):
    own_git_settings.write_text("[user]\n\tuseConfigOnly = true\n")

    snapshot = take(plain(tmp_path / "folder", {"a": b"a\n"}), "a", "m")

    assert 1 == snapshot.files


def test_no_hook_runs(tmp_path, own_git_settings):
    """`update-ref` would call reference-transaction, wherever hooks are configured."""
    folder = project(tmp_path / "project", {"a": b"a\n"})
    witness = tmp_path / "witness"
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("reference-transaction", "post-index-change", "pre-commit", "fsmonitor-watchman"):
        (hooks / name).write_text(f"#!/bin/sh\necho {name} >> '{witness}'\n")
        (hooks / name).chmod(0o755)
    own_git_settings.write_text(f"[core]\n\thooksPath = {hooks}\n\tfsmonitor = {hooks}/fsmonitor-watchman\n")
    git(folder, "update-ref", "refs/test/a", "HEAD")
    assert "reference-transaction" in witness.read_text()  # they do run for the user
    witness.unlink()

    take(folder, "a", "m")

    assert not witness.exists()


def test_a_missing_blob_is_an_error(tmp_path):
    folder = project(tmp_path / "project", {"a": b"a\n"})

    with Blobs(Git(folder)) as blobs, (tmp_path / "out").open("wb") as out, pytest.raises(GitError, match="not there"):
        blobs.copy("0" * 40, out)


def test_the_helper_found_sees_every_kind_of_file(tmp_path: Path):
    """The other tests rely on it."""
    folder = plain(tmp_path / "folder", {"a": b"a", "d/b": b"b", ".git/x": b"no", ".headway/y": b"no"})
    (folder / "d" / "b").chmod(0o755)
    (folder / "to-d").symlink_to("d")

    assert {"a": ("file", b"a"), "d/b": ("program", b"b"), "to-d": ("link", b"d")} == found(folder)


@pytest.mark.parametrize("name", [".gitignore", "d/.gitignore", ".gitattributes"])
def test_a_pipe_instead_of_a_rule_file_does_not_block(tmp_path, monkeypatch, name):
    """Git itself would wait forever."""
    monkeypatch.setattr("headway.snapshots.git.PATIENCE", 0.3)
    folder = project(tmp_path / "p", {"a": b"a\n", "d/b": b"b\n"})
    before = take(folder, "one", "m")
    (folder / "a").write_text("changed\n")
    (folder / "new").write_text("new\n")
    os.mkfifo(folder / name)

    with pytest.raises(GitError, match=f"{name} is a pipe, on which git would wait forever"):
        take(folder, "two", "m")

    (folder / name).unlink()
    assert [before] == list_snapshots(folder)
    assert 3 == take(folder, "two", "m").files


@pytest.mark.parametrize(("name", "hangs"), [("index", False), ("info/exclude", True)])
def test_a_pipe_in_the_git_directory_does_not_block(tmp_path, monkeypatch, name, hangs):
    """The index is not used, and with a baseline the rules in the git directory are not read either."""
    monkeypatch.setattr("headway.snapshots.git.PATIENCE", 0.3)
    folder = project(tmp_path / "p", {"a": b"a\n", "d/b": b"b\n"})
    first = take(folder, "loop/0", "m", first=True)
    (folder / ".git/info").mkdir(exist_ok=True)
    (folder / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(folder / ".git" / name)
    (folder / "new").write_text("new\n")

    assert 3 == take(folder, "loop/1", "m", like=first).files
    assert ("new",) == restore(folder, first, "kept").removed
    with pytest.raises(GitError, match=f"{name} is a pipe") if hangs else nullcontext():
        take(folder, "other", "m")
