"""No operation changes the user's git: every file of the git directory is compared byte for byte."""

from pathlib import Path

import pytest

from headway.snapshots import changes, export, forget, list_snapshots, restore, take
from tests.snapshots.projects import commit_all, git, project, users_git, write


@pytest.fixture
def busy(tmp_path) -> Path:
    """A repository with everything that could be changed: stash, tags, reflogs, packed refs, staged work, settings."""
    folder = project(tmp_path / "busy", {"a": b"a\n", "b": b"b\n", "c": b"c\n"})
    git(folder, "config", "core.logAllRefUpdates", "always")
    git(folder, "config", "core.untrackedCache", "true")
    git(folder, "config", "gc.auto", "1")
    git(folder, "tag", "v1")
    git(folder, "branch", "side")
    write(folder, {"a": b"stashed\n"})
    git(folder, "stash")
    git(folder, "pack-refs", "--all")
    write(folder, {"b": b"second\n"})
    commit_all(folder)
    write(folder, {"a": b"staged\n", "new": b"new\n"})
    git(folder, "add", "a", "new")
    write(folder, {"a": b"unstaged\n", "untracked": b"u\n"})
    git(folder, "rm", "-q", "--cached", "c")
    return folder


def test_taking_comparing_exporting_and_forgetting_change_nothing_of_the_users(busy, tmp_path):
    before = users_git(busy)
    status = git(busy, "--no-optional-locks", "status", "--porcelain")

    one = take(busy, "one", "m")
    write(busy, {"a": b"later\n"})
    two = take(busy, "two", "m")
    write(busy, {"a": b"unstaged\n"})
    assert 2 == changes(one, two).lines
    export(one, tmp_path / "out")
    list_snapshots(busy)
    forget(busy)

    assert before == users_git(busy)
    assert status == git(busy, "--no-optional-locks", "status", "--porcelain")


def test_restoring_leaves_staged_changes_alone(busy):
    one = take(busy, "one", "m")
    before, staged = users_git(busy), git(busy, "diff", "--cached")
    write(busy, {"a": b"later\n", "more": b"more\n"})
    (busy / "b").unlink()

    restore(busy, one, "kept")

    assert before == users_git(busy)
    assert staged == git(busy, "diff", "--cached")
    assert b"unstaged\n" == (busy / "a").read_bytes()


def test_git_fsck_passes_afterwards(busy):
    one = take(busy, "one", "m")
    write(busy, {"a": b"later\n"})
    restore(busy, one, "kept")

    git(busy, "fsck", "--strict")
    git(busy, "gc", "-q", "--prune=now")
    assert "unstaged\n" == git(busy, "show", "refs/headway/one:a")
    assert "later\n" == git(busy, "show", "refs/headway/kept:a")


def test_only_our_refs_are_new(busy):
    refs = git(busy, "for-each-ref")

    take(busy, "one", "m")

    assert ["refs/headway/one"] == [
        line.split("\t")[1] for line in git(busy, "for-each-ref").splitlines() if line not in refs
    ]
    assert not (busy / ".git" / "logs" / "refs" / "headway").exists()
