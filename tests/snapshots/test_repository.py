import pytest

from headway.snapshots import Repository, list_snapshots, load, restore, take
from tests.snapshots.projects import commit_all, found, git, plain, project, write


def test_a_folder_inside_a_work_tree_uses_the_whole_repository(tmp_path):
    folder = project(tmp_path / "project", {"a": b"a\n", "sub/b": b"b\n"})

    snapshot = take(folder / "sub", "a", "m")

    assert str(folder) == snapshot.folder
    assert "a\nsub/b\n" == git(folder, "ls-tree", "-r", "--name-only", "refs/headway/a")
    assert not (folder / "sub" / ".headway").exists()


def test_a_folder_without_git_gets_a_private_repository(tmp_path):
    folder = plain(tmp_path / "folder", {"a": b"a\n", "sub/b": b"b\n"})

    snapshot = take(folder, "a", "m")

    assert Repository.at(folder).private
    assert folder / ".headway" / "git" == Repository.at(folder).git_dir
    assert 2 == snapshot.files
    assert not (folder / ".git").exists()


def test_an_ignored_folder_gets_a_private_repository(tmp_path):
    """A user's whole home folder may be a repository that ignores everything."""
    home = project(tmp_path / "home", {".gitignore": b"*\n"})
    folder = plain(home / "work", {"a": b"a\n"})

    snapshot = take(folder, "a", "m")

    assert Repository.at(folder).private
    assert 1 == snapshot.files


def test_the_private_repository_stays_in_use_after_git_init(tmp_path):
    folder = plain(tmp_path / "folder", {"a": b"one\n"})
    first = take(folder, "first", "m")
    git(folder, "init", "-q")
    write(folder, {"a": b"two\n", ".git/info/exclude": b"*.log\n", "x.log": b"noise\n"})
    commit_all(folder)

    second = take(folder, "second", "m")

    assert [first, second] == list_snapshots(folder)
    assert 1 == second.files  # the new repository's own rules hold
    assert "a\n" == git(folder, "ls-files")  # and it never sees our folder
    restore(folder, first, "kept")
    assert b"one\n" == (folder / "a").read_bytes()


def test_a_linked_work_tree_keeps_its_own_files_in_the_shared_repository(tmp_path):
    folder = project(tmp_path / "project", {"a": b"a\n"})
    linked = tmp_path / "linked"
    git(folder, "worktree", "add", "-q", str(linked))
    write(linked, {"b": b"b\n"})

    here, there = take(folder, "here", "m"), take(linked, "there", "m")

    assert (1, 2) == (here.files, there.files)
    assert there.commit == git(folder, "rev-parse", "refs/headway/there").strip()


def test_a_sha256_repository(tmp_path):
    folder = plain(tmp_path / "project", {"a": b"a\n"})
    git(folder, "init", "-q", "--object-format=sha256")

    snapshot = take(folder, "a", "m")

    assert 64 == len(snapshot.commit)
    write(folder, {"a": b"b\n"})
    restore(folder, load(folder, "a"), "kept")
    assert {"a": ("file", b"a\n")} == found(folder)


def test_a_broken_git_file_counts_as_no_git(tmp_path):
    folder = plain(tmp_path / "folder", {"a": b"a\n", ".git": b"gitdir: /does/not/exist\n"})

    assert 1 == take(folder, "a", "m").files


def test_a_folder_with_unusual_characters_in_its_name(tmp_path):
    folder = project(tmp_path / "a b:c\n-d", {"a": b"a\n"})

    assert 1 == take(folder, "a", "m").files
    assert "a" in git(folder, "ls-tree", "--name-only", "refs/headway/a")


@pytest.mark.parametrize("name", ["missing", "file"])
def test_a_path_that_is_not_a_folder_is_refused(tmp_path, name):
    (tmp_path / "file").write_text("x")

    with pytest.raises(NotADirectoryError, match="is not a folder"):
        Repository.at(tmp_path / name)


def test_shared_objects_of_a_clone_are_found(tmp_path):
    """A clone with `--shared` borrows its objects."""
    origin = project(tmp_path / "origin", {"a": b"a\n"})
    git(tmp_path, "clone", "-q", "--shared", str(origin), "clone")

    snapshot = take(tmp_path / "clone", "a", "m")

    assert "a\n" == git(tmp_path / "clone", "show", f"{snapshot.commit}:a")


@pytest.mark.parametrize("place", [".headway", ".headway/git"])
def test_nothing_is_written_through_a_link_that_came_with_a_project(tmp_path, place):
    folder, outside = plain(tmp_path / "p", {"a.py": b"x\n"}), tmp_path / "outside"
    outside.mkdir()
    (folder / place).parent.mkdir(exist_ok=True)
    (folder / place).symlink_to(outside)
    with pytest.raises(OSError, match="nothing is written through it"):
        Repository.at(folder)
    assert [] == list(outside.iterdir())


def test_a_rules_file_of_ours_that_is_a_link_is_left_alone(tmp_path):
    folder, theirs = plain(tmp_path / "p", {"a.py": b"x\n"}), tmp_path / "precious"
    theirs.write_text("precious")
    (folder / ".headway").mkdir()
    (folder / ".headway" / ".gitignore").symlink_to(theirs)
    Repository.at(folder)
    assert "precious" == theirs.read_text()
