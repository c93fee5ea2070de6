import shutil
from pathlib import Path

import pytest

from headway.snapshots import changes, export, restore, take
from tests.slow import slow
from tests.snapshots.projects import ALLOW_FILE, commit_all, empty, found, git, plain, project, users_git, write


@pytest.fixture(params=["git", *slow("plain")])
def nest(request, tmp_path) -> Path:
    """A project with a nested repository, one without commits inside an untracked folder, and one inside the first."""
    folder = (project if request.param == "git" else plain)(tmp_path / "nest", {"a": b"a\n"})
    project(folder / "lib", {"l": b"l\n", ".gitignore": b"*.log\n"})
    write(folder, {"lib/.git/info/exclude": b"*.mine\n"})
    project(folder / "lib" / "deep", {"x/d": b"d\n"})
    project(folder / "far" / "off", {"f": b"f\n"}, commit=False)
    write(folder, {"lib/n.log": b"noise\n", "lib/n.mine": b"noise\n", "lib/new": b"new\n"})
    return folder


EXPECTED = {"a", "lib/l", "lib/.gitignore", "lib/new", "lib/deep/x/d", "far/off/f"}


@pytest.fixture
def superproject(tmp_path) -> Path:
    """A project with a submodule."""
    origin = project(tmp_path / "origin", {"s": b"one\ntwo\n"})
    folder = project(tmp_path / "super", {"a": b"a\n"})
    git(folder, *ALLOW_FILE, "submodule", "--quiet", "add", str(origin), "mod")
    commit_all(folder)
    return folder


def test_files_of_nested_repositories_are_saved_by_their_own_rules(nest, tmp_path):
    snapshot = take(nest, "a", "m")

    export(snapshot, tmp_path / "out")

    assert EXPECTED == set(found(tmp_path / "out"))
    assert len(EXPECTED) == snapshot.files
    assert {"lib", "lib/deep", "far/off"} == set(snapshot.parts)


def test_the_commit_of_a_part_survives_git_gc(superproject):
    snapshot = take(superproject, "a", "m")

    git(superproject, "gc", "-q", "--prune=now")

    assert "s\n" == git(superproject, "ls-tree", "--name-only", snapshot.parts["mod"])


def test_changes_in_nested_repositories_count_committed_or_not(nest):
    before = take(nest, "before", "m")
    write(nest, {"lib/l": b"l\nmore\n", "lib/deep/x/d": b"changed\n", "far/off/g": b"g\ng\n"})
    commit_all(nest / "lib" / "deep")

    found_changes = changes(before, take(nest, "after", "m"))

    assert (4, 1) == (found_changes.insertions, found_changes.deletions)
    assert {"lib/l", "lib/deep/x/d", "far/off/g"} == {file.path for file in found_changes.files}


def test_nested_repositories_are_restored_and_their_git_stays(nest):
    there = found(nest)
    before = take(nest, "before", "m")
    states = [users_git(nest / part) for part in ("lib", "lib/deep", "far/off")]
    write(nest, {"lib/l": b"broken\n", "lib/extra": b"x\n"})
    (nest / "far" / "off" / "f").unlink()

    restored = restore(nest, before, "kept")

    assert there == found(nest)
    assert {"lib/l", "far/off/f"} == set(restored.written)
    assert ("lib/extra",) == restored.removed
    assert states == [users_git(nest / part) for part in ("lib", "lib/deep", "far/off")]


def test_the_files_of_a_deleted_nested_repository_are_restored(nest):
    """Its git directory is not restored, because no snapshot holds it."""
    before = take(nest, "before", "m")
    shutil.rmtree(nest / "lib")

    restore(nest, before, "kept")

    assert EXPECTED == set(found(nest))
    assert () == changes(before, take(nest, "after", "m")).files


def test_a_submodules_changes_count_once_in_any_state(superproject):
    before = take(superproject, "before", "m")
    write(superproject, {"mod/s": b"one\n2\n", "mod/new": b"n\n"})
    dirty = changes(before, take(superproject, "dirty", "m"))
    commit_all(superproject / "mod")
    committed = changes(before, take(superproject, "committed", "m"))
    commit_all(superproject)
    recorded = changes(before, take(superproject, "recorded", "m"))

    assert (2, 1) == (dirty.insertions, dirty.deletions)
    assert dirty == committed == recorded


def test_a_submodule_that_is_not_checked_out_is_not_a_part(superproject):
    git(superproject, "submodule", "--quiet", "deinit", "-f", "mod")

    assert {} == take(superproject, "a", "m").parts


def test_a_submodule_without_its_git_file_is_still_saved(superproject):
    before = take(superproject, "before", "m")
    (superproject / "mod" / ".git").unlink()

    after = take(superproject, "after", "m")

    assert before.tree == after.tree


def test_a_file_moved_into_a_nested_repository_is_a_rename(superproject):
    write(superproject, {"big": b"".join(b"%d\n" % n for n in range(50))})
    before = take(superproject, "before", "m")
    (superproject / "big").rename(superproject / "mod" / "big")

    moved = changes(before, take(superproject, "after", "m"))

    assert [("big", "mod/big", "renamed")] == [(file.old_path, file.path, file.status) for file in moved.files]
    assert 0 == moved.lines


def test_an_agents_git_init_in_a_folder_changes_nothing(nest):
    write(nest, {"pkg/p": b"p\n"})
    before = take(nest, "before", "m")
    git(nest / "pkg", "init", "-q")

    after = take(nest, "after", "m")

    assert before.tree == after.tree
    assert "pkg" in after.parts


def test_deleting_everything_can_be_undone(superproject):
    there = found(superproject)
    before = take(superproject, "before", "m")
    empty(superproject)

    restore(superproject, before, "kept")

    assert there == found(superproject)


def nested_repository(folder: Path, place: Path) -> Path:
    return project(folder / "part", {"p": b"one\n"})


def nested_submodule(folder: Path, place: Path) -> Path:
    origin = project(place / "origin", {"p": b"one\n"})
    git(folder, *ALLOW_FILE, "submodule", "--quiet", "add", str(origin), "part")
    commit_all(folder)
    return folder / "part"


def nested_worktree(folder: Path, place: Path) -> Path:
    """A second work tree of the project itself, inside the first."""
    git(folder, "worktree", "add", "-q", "-b", "side", str(folder / "part"))
    write(folder / "part", {"p": b"one\n"})
    commit_all(folder / "part")
    return folder / "part"


def nested_foreign_worktree(folder: Path, place: Path) -> Path:
    """A work tree of a repository elsewhere."""
    other = project(place / "other", {"p": b"one\n"})
    git(other, "worktree", "add", "-q", str(folder / "part"))
    return folder / "part"


@pytest.mark.parametrize("make", [nested_repository, *slow(nested_submodule, nested_worktree, nested_foreign_worktree)])
def test_commits_of_the_agent_count_and_stay(tmp_path, make):
    """The agent commits in the part and in the project. The files are restored, and the history stays."""
    folder = project(tmp_path / "project", {"a": b"a\n"})
    part = make(folder, tmp_path)
    there = found(folder)
    before = take(folder, "before", "m")
    assert ["part"] == list(before.parts)

    write(part, {"p": b"two\n", "new": b"new\n"})
    write(folder, {"a": b"changed\n"})
    commit_all(part)
    commit_all(folder)
    made = changes(before, take(folder, "after", "m"))
    heads = [git(place, "rev-parse", "HEAD") for place in (folder, part)]
    theirs, status = users_git(folder), git(part, "--no-optional-locks", "status", "--porcelain")
    restore(folder, before, "kept")

    assert (3, 2) == (made.insertions, made.deletions)
    assert {"a", "part/p", "part/new"} == {file.path for file in made.files}
    assert there == found(folder)
    assert heads == [git(place, "rev-parse", "HEAD") for place in (folder, part)]
    assert theirs == users_git(folder)
    assert "" == status and "new" in git(part, "--no-optional-locks", "status", "--porcelain")
