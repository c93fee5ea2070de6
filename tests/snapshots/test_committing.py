"""The commit of the changes between two snapshots equals what `git add` and `git commit` would make."""

import pytest

from headway.snapshots import Repository, commit_changes, take
from tests.snapshots.projects import ALLOW_FILE, commit_all, git, lines, project, users_git, write


class Work:
    """A project, and the commit of what is changed in it."""

    def __init__(self, folder):
        self.folder = folder
        self.head = git(folder, "rev-parse", "HEAD").strip()
        self.before = take(folder, "loop/0", "m", first=True)

    def committed(self):
        after = take(self.folder, "loop/1", "m", like=self.before)
        self.done = commit_changes(Repository.at(self.folder), self.before, after, self.head, "the work")
        return dict(
            reversed(line.split("\t", 1))
            for line in git(self.folder, "diff", "--name-status", self.head, self.done.commit).splitlines()
        )

    def content(self, path):
        return git(self.folder, "show", f"{self.done.commit}:{path}")


@pytest.fixture
def folder(tmp_path):
    return project(tmp_path / "p", {"a": b"a\n", "code": lines(30), "gone": b"g\n", "other/o": b"o\n"})


def test_the_commit_contains_only_the_changes(folder):
    git(folder, "config", "user.name", "A Person")
    work = Work(folder)
    write(folder, {"a": b"a\nb\n", "new/n": b"n\n"})
    (folder / "gone").unlink()
    (folder / "new/n").chmod(0o755)

    assert {"a": "M", "new/n": "A", "gone": "D"} == work.committed()
    assert "100755" in git(folder, "ls-tree", work.done.commit, "new/n")
    assert [work.head, "A Person", "the work"] == git(
        folder, "log", "-1", "--format=%P%n%an%n%s", work.done.commit
    ).splitlines()
    assert ((), (), ()) == (work.done.left_out, work.done.mixed, work.done.nested)


def test_files_outside_of_a_sparse_checkout_stay(folder):
    write(folder, {"keep/k": b"k\n"})
    commit_all(folder)
    git(folder, "sparse-checkout", "set", "keep")
    assert not (folder / "other").exists()
    work = Work(folder)
    write(folder, {"keep/k": b"changed\n"})

    assert {"keep/k": "M"} == work.committed()


def test_a_submodule_stays_a_submodule(folder, tmp_path):
    library = project(tmp_path / "library", {"l": b"l\n"})
    git(folder, *ALLOW_FILE, "submodule", "--quiet", "add", str(library), "lib")
    commit_all(folder)
    work = Work(folder)
    write(folder, {"a": b"changed\n", "lib/l": b"changed\n"})

    assert {"a": "M"} == work.committed()
    assert git(folder, "ls-tree", work.done.commit, "lib").startswith("160000 commit")
    assert ("lib",) == work.done.nested


def test_the_commit_uses_gits_line_endings_and_filters(folder):
    git(folder, "config", "filter.up.clean", "tr a-z A-Z")
    git(folder, "config", "filter.up.smudge", "tr A-Z a-z")
    write(folder, {".gitattributes": b"*.txt text eol=crlf\n*.big filter=up\n", "doc.txt": b"a\r\nb\r\n"})
    write(folder, {"untouched.txt": b"u\r\n", "f.big": b"hello\n", "same.big": b"same\n"})
    commit_all(folder)
    work = Work(folder)
    write(folder, {"doc.txt": b"a\r\nc\r\n", "f.big": b"other\n", "new.big": b"new\n"})

    assert {"doc.txt": "M", "f.big": "M", "new.big": "A"} == work.committed()
    assert ["a\nc\n", "OTHER\n", "NEW\n", "SAME\n"] == [
        work.content(path) for path in ("doc.txt", "f.big", "new.big", "same.big")
    ]


def test_changed_attributes_are_used(folder):
    work = Work(folder)
    write(folder, {".gitattributes": b"*.txt text\n", "new.txt": b"a\r\n"})

    assert {".gitattributes": "A", "new.txt": "A"} == work.committed()
    assert "a\n" == work.content("new.txt")


def test_the_users_uncommitted_edits_and_files_are_left_out(folder):
    mine = lines(30).replace(b"line 2\n", b"line 2, mine\n")
    write(folder, {"code": mine, "a": b"a, mine\n", "mine": b"mine\n", "untouched": b"u\n"})
    git(folder, "add", "a")
    work = Work(folder)
    write(folder, {"code": mine.replace(b"line 25\n", b"line 25, theirs\n"), "mine": b"mine and theirs\n"})

    assert {"code": "M"} == work.committed()
    assert lines(30).replace(b"line 25\n", b"line 25, theirs\n").decode() == work.content("code")
    assert (("mine",), ()) == (work.done.left_out, work.done.mixed)


def test_overlapping_edits_are_reported(folder):
    write(folder, {"a": b"mine\n"})
    work = Work(folder)
    write(folder, {"a": b"mine and theirs\n"})

    assert {"a": "M"} == work.committed()
    assert ("a",) == work.done.mixed


def test_the_agents_own_commits_are_not_ancestors(folder):
    """A bad round may have been committed, so the result is on top of the commit from the beginning."""
    work = Work(folder)
    write(folder, {"a": b"bad\n"})
    commit_all(folder)
    write(folder, {"a": b"good\n"})

    assert {"a": "M"} == work.committed()
    assert "good\n" == work.content("a")


def test_the_users_index_and_branches_are_unchanged(folder):
    write(folder, {"staged": b"s\n"})
    git(folder, "add", "staged")
    work = Work(folder)
    before = users_git(folder)
    write(folder, {"a": b"b\n"})
    work.committed()

    assert before == users_git(folder)
    assert [] == list(Repository.at(folder).room.glob("scratch-*"))


def test_files_that_new_rules_ignore_are_not_committed(folder):
    """It belongs to the round, but `git add` would not add it."""
    write(folder, {"tracked/t": b"t\n"})
    commit_all(folder)
    work = Work(folder)
    new = {"packed/m.js": b"m\n", "sub/.gitignore": b"*.o\n", "sub/a.o": b"o\n", "sub/a.c": b"c\n"}
    write(folder, {**new, ".gitignore": b"packed/\ntracked/\n", "tracked/t": b"changed\n"})

    assert {".gitignore": "A", "sub/.gitignore": "A", "sub/a.c": "A", "tracked/t": "M"} == work.committed()
    assert ("packed/m.js", "sub/a.o") == work.done.ignored


def test_a_filter_added_by_the_agent_is_not_run(folder, tmp_path):
    """A filter that existed before keeps its old value."""
    git(folder, "config", "filter.up.clean", "tr a-z A-Z")
    write(folder, {".gitattributes": b"*.big filter=up\n*.py filter=e\n"})
    commit_all(folder)
    work = Work(folder)
    git(folder, "config", "filter.up.clean", f"touch {tmp_path}/ran; cat")
    git(folder, "config", "filter.e.clean", f"touch {tmp_path}/ran; cat")
    git(folder, "config", "filter.e.required", "true")
    write(folder, {"a.big": b"big\n", "b.py": b"b\n"})

    assert {"a.big": "A", "b.py": "A"} == work.committed()
    assert ("BIG\n", "b\n") == (work.content("a.big"), work.content("b.py"))
    assert not (tmp_path / "ran").exists()
