import os
import subprocess
from pathlib import Path

import pytest

from headway.snapshots import changes, export, load, restore, take
from tests.snapshots.projects import commit_all, found, git, plain, project, users_git, write

AWKWARD = [
    "with space",
    "two\nlines",
    "ünï ✓",
    "-rf",
    "--",
    ":(top)x",
    "'q\"",
    "back\\slash",
    "tab\t",
    "*",
    "#x",
    "d/ e",
]


def kept(folder: Path, where: Path) -> dict[str, tuple[str, bytes]]:
    """The files that a snapshot taken now restores."""
    export(take(folder, "kept", "m"), where)
    return found(where)


@pytest.fixture(params=["git", "plain"])
def folder(request, tmp_path) -> Path:
    """The same empty project, with git and without."""
    return (project if request.param == "git" else plain)(tmp_path / "project", {})


def test_any_file_name_is_restored(folder, tmp_path):
    write(folder, {name: name.encode() for name in AWKWARD})
    Path(os.fsdecode(os.fsencode(folder) + b"/not-\xff-text")).write_bytes(b"x")

    assert found(folder) == kept(folder, tmp_path / "out")
    assert len(AWKWARD) + 1 == load(folder, "kept").files


def test_links_and_executables_are_restored(folder, tmp_path):
    write(folder, {"d/a": b"a\n", "run.sh": b"#!/bin/sh\n"})
    (folder / "run.sh").chmod(0o755)
    (folder / "to-file").symlink_to("d/a")
    (folder / "to-folder").symlink_to("d")
    (folder / "to-nothing").symlink_to("nowhere")
    (folder / "outside").symlink_to("/etc")

    out = kept(folder, tmp_path / "out")

    assert found(folder) == out
    assert ("link", b"/etc") == out["outside"]
    assert "program" == out["run.sh"][0]


def test_any_content_is_restored(folder, tmp_path):
    write(
        folder,
        {
            "empty": b"",
            "zeros": bytes(range(256)) * 10,
            "large": os.urandom(1 << 20) * 5,
            "no newline": b"x",
            "utf16.txt": "héllo\r\n".encode("utf-16"),
        },
    )

    assert found(folder) == kept(folder, tmp_path / "out")


@pytest.mark.slow
def test_a_large_file_is_restored(folder, tmp_path, own_git_settings):
    """Above a threshold, git streams a file into its own pack."""
    own_git_settings.write_text(own_git_settings.read_text() + "[core]\n\tbigFileThreshold = 1m\n")
    write(folder, {"large": os.urandom(1 << 20) * 8, "small": b"s\n"})

    first = kept(folder, tmp_path / "out")

    assert found(folder) == first
    write(folder, {"large": os.urandom(1 << 20) * 8})
    restore(folder, load(folder, "kept"), "before")
    assert found(folder) == first


def test_files_are_saved_without_conversion(folder, tmp_path, own_git_settings):
    """Line endings, keywords, encodings and filters all change bytes when git itself adds a file."""
    own_git_settings.write_text(
        "[core]\n\tautocrlf = true\n\tsafecrlf = true\n"
        '[filter "shout"]\n\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n\trequired = true\n'
        '[filter "gone"]\n\tclean = /does/not/exist\n\tprocess = /does/not/exist\n\trequired = true\n'
    )
    rules = (
        b"*.txt text eol=crlf\n*.id ident\n*.up filter=shout\n*.big filter=gone\n*.enc working-tree-encoding=UTF-16\n"
    )
    write(
        folder,
        {
            ".gitattributes": rules,
            "crlf.txt": b"one\r\ntwo\r\n",
            "mixed.txt": b"one\r\ntwo\n",
            "a.id": b"$Id$ and $Id: old $\n",
            "a.up": b"Quiet and LOUD\n",
            "a.big": b"version https://git-lfs.example/spec/v1\nreal content\n",
            "a.enc": b"not utf-16 at all\n",
            "unruled": b"one\r\ntwo\n",
        },
    )

    assert found(folder) == kept(folder, tmp_path / "out")


def test_ignored_files_are_left_out_and_untracked_ones_are_not(tmp_path, own_git_settings):
    everywhere = tmp_path / "excludes"
    everywhere.write_text("*.global\n")
    own_git_settings.write_text(own_git_settings.read_text() + f"[core]\n\texcludesFile = {everywhere}\n")
    folder = project(tmp_path / "project", {".gitignore": b"*.log\n/build/\n", "d/.gitignore": b"!keep.log\n"})
    write(folder, {".git/info/exclude": b"*.mine\n"})
    write(folder, dict.fromkeys(["a.log", "build/x", "d/keep.log", "a.mine", "a.global", "untracked"], b"x\n"))

    assert {".gitignore", "d/.gitignore", "d/keep.log", "untracked"} == set(kept(folder, tmp_path / "out"))


def test_a_tracked_file_is_the_projects_even_if_a_rule_ignores_it(tmp_path):
    folder = project(tmp_path / "project", {".gitignore": b"*.log\n"})
    write(folder, {"kept.log": b"x\n", "other.log": b"x\n"})
    git(folder, "add", "-f", "kept.log")

    assert {".gitignore", "kept.log"} == set(kept(folder, tmp_path / "out"))


def test_a_snapshot_depends_on_the_files_not_on_earlier_snapshots(tmp_path):
    """A newly ignored file is left out at once, even if an earlier snapshot has it."""
    folder = project(tmp_path / "project", {"a": b"a\n"})
    write(folder, {"a.log": b"x\n"})
    first = take(folder, "first", "m")
    write(folder, {".gitignore": b"*.log\n"})

    assert {"a", "a.log"} == set(git(folder, "ls-tree", "--name-only", first.commit).split())
    assert {"a", ".gitignore"} == set(kept(folder, tmp_path / "out"))


def test_our_own_folder_is_never_saved(folder, tmp_path):
    write(folder, {"a": b"a\n", ".headway/loops/x.json": b"{}", "d/.headway/y": b"y", ".headway-tmp-1": b"z"})
    write(folder, {".headway.toml": b"[x]\n"})

    take(folder, "first", "m")

    export(take(folder, "second", "m"), tmp_path / "out")
    assert {"a", ".headway.toml"} == {str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*")}


def test_our_own_folder_is_left_out_even_when_tracked(tmp_path):
    folder = project(tmp_path / "project", {"a": b"a\n", ".headway/settings": b"x\n"})

    assert ".headway/settings" in git(folder, "ls-files")
    assert 1 == take(folder, "a", "m").files


def test_empty_folders_are_not_saved(folder, tmp_path):
    write(folder, {"a": b"a\n"})
    (folder / "empty").mkdir()
    take(folder, "a", "m")

    export(load(folder, "a"), tmp_path / "out")

    assert ["a"] == [path.name for path in (tmp_path / "out").iterdir()]


def test_a_project_without_files(folder):
    assert 0 == take(folder, "a", "m").files
    assert () == changes(load(folder, "a"), take(folder, "b", "m")).files


def test_pipes_and_sockets_are_skipped(folder):
    write(folder, {"a": b"a\n"})
    os.mkfifo(folder / "pipe")

    assert 1 == take(folder, "a", "m").files


def test_read_only_files_are_saved(folder, tmp_path):
    write(folder, {"a": b"a\n"})
    (folder / "a").chmod(0o444)

    assert {"a": ("file", b"a\n")} == kept(folder, tmp_path / "out")


def unborn(folder: Path) -> None:
    git(folder, "update-ref", "-d", "HEAD")


def detached(folder: Path) -> None:
    git(folder, "checkout", "-q", "--detach")


def merging(folder: Path) -> None:
    git(folder, "checkout", "-q", "-b", "side")
    write(folder, {"a": b"side\n"})
    commit_all(folder)
    git(folder, "checkout", "-q", "main")
    write(folder, {"a": b"main\n"})
    commit_all(folder)
    with pytest.raises(subprocess.CalledProcessError):
        git(folder, "merge", "side")


def locked(folder: Path) -> None:
    (folder / ".git" / "index.lock").write_bytes(b"")


def stashed(folder: Path) -> None:
    write(folder, {"a": b"stashed\n"})
    git(folder, "stash")


def staged(folder: Path) -> None:
    write(folder, {"a": b"staged\n", "new": b"new\n"})
    git(folder, "add", "-A")
    write(folder, {"a": b"unstaged\n"})


def sparse(folder: Path) -> None:
    write(folder, {"in/x": b"x\n", "out/y": b"y\n"})
    commit_all(folder)
    git(folder, "sparse-checkout", "set", "in")
    assert not (folder / "out").exists()


@pytest.mark.parametrize("state", [unborn, detached, merging, locked, stashed, staged, sparse])
def test_taking_works_in_any_state_of_the_repository_and_keeps_it(tmp_path, state):
    folder = project(tmp_path / "project", {"a": b"a\n", "b": b"b\n"})
    state(folder)
    before, there = users_git(folder), found(folder)

    assert there == kept(folder, tmp_path / "out")
    assert before == users_git(folder)


def test_a_moved_file_system_entry_of_another_type(folder, tmp_path):
    """A tracked file becomes a folder, a folder a link, a link a file."""
    write(folder, {"a": b"a\n", "d/x": b"x\n", "e/y": b"y\n"})
    (folder / "l").symlink_to("a")
    take(folder, "before", "m")
    (folder / "a").unlink()
    (folder / "d" / "x").unlink()
    (folder / "d").rmdir()
    (folder / "d").symlink_to("e")
    (folder / "l").unlink()
    write(folder, {"a/inner": b"inner\n", "l": b"file\n", "e/x": b"not d/x\n"})

    assert found(folder) == kept(folder, tmp_path / "out")
