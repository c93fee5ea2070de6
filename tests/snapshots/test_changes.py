from pathlib import Path

import msgspec
import pytest

from headway.snapshots import Changes, FileChange, changes, take
from tests.snapshots.projects import commit_all, git, lines, plain, project, write

START = {
    "staged": lines(10),
    "unstaged": lines(10),
    "both": lines(10),
    "committed": lines(10),
    "deleted": lines(4, "gone"),
    "old name": lines(40, "moved"),
    "picture": b"\0\1\2" * 50,
}


def work(folder: Path, stage: bool) -> None:
    """One round with every kind of change; with git, staged, committed or neither."""
    write(folder, {"committed": lines(10) + b"one\n", "new committed": b"one\ntwo\n"})
    if stage:
        git(folder, "add", "committed", "new committed")
        git(folder, "commit", "-q", "-m", "inside the round")
    write(folder, {"staged": lines(10) + b"a\nb\nc\n", "new staged": b"one\n", "both": lines(10) + b"first\n"})
    if stage:
        git(folder, "add", "staged", "new staged", "both")
    write(folder, {"unstaged": lines(9), "untracked": lines(5), "both": lines(10) + b"first\nsecond\n"})
    write(folder, {"picture": b"\0\1\3" * 60})
    (folder / "deleted").unlink()
    (folder / "old name").rename(folder / "new name")


EXPECTED = {
    "committed": ("modified", 1, 0),
    "new committed": ("added", 2, 0),
    "staged": ("modified", 3, 0),
    "new staged": ("added", 1, 0),
    "both": ("modified", 2, 0),
    "unstaged": ("modified", 0, 1),
    "untracked": ("added", 5, 0),
    "picture": ("modified", 0, 0),
    "deleted": ("deleted", 0, 4),
    "new name": ("renamed", 0, 0),
}


def round_in(folder: Path, stage: bool) -> Changes:
    before = take(folder, "before", "m")
    work(folder, stage)
    return changes(before, take(folder, "after", "m"))


def test_each_line_counts_once_however_it_was_changed(tmp_path):
    seen = round_in(project(tmp_path / "project", START), stage=True)

    assert EXPECTED == {file.path: (file.status, file.insertions, file.deletions) for file in seen.files}
    assert (14, 5, 19) == (seen.insertions, seen.deletions, seen.lines)
    assert ["picture"] == [file.path for file in seen.files if file.binary]
    assert {"new name": "old name"} == {file.path: file.old_path for file in seen.files if file.old_path}


def test_a_folder_without_git_gives_the_same_numbers(tmp_path):
    with_git = round_in(project(tmp_path / "project", START), stage=True)
    without = round_in(plain(tmp_path / "folder", START), stage=False)

    assert with_git == without


def test_no_changes_between_equal_snapshots(tmp_path):
    folder = project(tmp_path / "project", START)
    before = take(folder, "before", "m")
    write(folder, START)  # written again, with the same content
    commit_all(folder)

    assert Changes() == changes(before, take(folder, "after", "m"))


def test_reversed_comparison_swaps_insertions_and_deletions(tmp_path):
    folder = project(tmp_path / "project", {"a": lines(3)})
    before = take(folder, "before", "m")
    write(folder, {"a": lines(5), "b": b"b\n"})
    after = take(folder, "after", "m")

    assert (3, 0) == (changes(before, after).insertions, changes(before, after).deletions)
    assert (0, 3) == (changes(after, before).insertions, changes(after, before).deletions)


def test_a_rename_with_edits_counts_only_the_edits(tmp_path):
    folder = project(tmp_path / "project", {"a.py": lines(50)})
    before = take(folder, "before", "m")
    (folder / "a.py").unlink()
    write(folder, {"pkg/b.py": lines(50) + b"more\n"})

    seen = changes(before, take(folder, "after", "m"))

    assert (FileChange("pkg/b.py", "renamed", 1, 0, False, "a.py"),) == without_content(seen)


def test_the_executable_bit_alone_is_a_change_without_lines(tmp_path):
    folder = project(tmp_path / "project", {"run": lines(3)})
    before = take(folder, "before", "m")
    (folder / "run").chmod(0o755)

    assert (FileChange("run", "modified"),) == without_content(changes(before, take(folder, "after", "m")))


def test_a_file_that_becomes_a_link_is_modified(tmp_path):
    folder = project(tmp_path / "project", {"a": lines(3), "b": b"b\n"})
    before = take(folder, "before", "m")
    (folder / "a").unlink()
    (folder / "a").symlink_to("b")

    seen = changes(before, take(folder, "after", "m"))

    assert [("a", "modified", 1, 3)] == [(f.path, f.status, f.insertions, f.deletions) for f in seen.files]


@pytest.mark.parametrize("rule", ["*.txt -diff", "*.txt binary", "*.txt diff=odd", "*.txt text eol=crlf"])
def test_attributes_do_not_change_the_count(tmp_path, own_git_settings, rule):
    """Neither the project's nor the user's."""
    (tmp_path / "attributes").write_text(f"{rule}\n")
    own_git_settings.write_text(own_git_settings.read_text() + f"[core]\n\tattributesFile = {tmp_path}/attributes\n")
    folder = project(tmp_path / "project", {".gitattributes": f"{rule}\n".encode(), "a.txt": lines(3)})
    git(folder, "config", "diff.odd.textconv", "wc -l")
    git(folder, "config", "diff.odd.binary", "true")
    before = take(folder, "before", "m")
    write(folder, {"a.txt": lines(3) + b"x\n"})

    assert (FileChange("a.txt", "modified", 1, 0),) == without_content(changes(before, take(folder, "after", "m")))


def test_the_users_diff_settings_do_not_change_the_count(tmp_path):
    folder = project(tmp_path / "project", {"a": lines(50), "c": b"x y\n"})
    for setting in ("diff.renames=false", "diff.external=false", "diff.noprefix=true", "diff.context=0"):
        git(folder, "config", *setting.split("="))
    before = take(folder, "before", "m")
    (folder / "a").rename(folder / "b")
    write(folder, {"c": b"x  y\n"})

    seen = changes(before, take(folder, "after", "m"))

    assert ["renamed", "modified"] == [file.status for file in seen.files]
    assert 2 == seen.lines


def test_unusual_file_names_are_read_correctly(tmp_path):
    names = ["two\nlines", "tab\there", ":colon", "ünï", " lead"]
    folder = project(tmp_path / "project", {"a": b"a\n"})
    before = take(folder, "before", "m")
    write(folder, {name: lines(2, name) for name in names})

    seen = changes(before, take(folder, "after", "m"))

    assert sorted(names) == sorted(file.path for file in seen.files)
    assert {"added"} == {file.status for file in seen.files}


def test_an_edit_of_the_same_size_in_the_same_instant_is_found(tmp_path):
    """The cached index trusts sizes and times. Git's protection against this must survive copying the index."""
    folder = project(tmp_path / "project", {"a": b"0000\n"})
    seen = []
    before = take(folder, "r-0", "m")
    for number in range(1, 15):
        write(folder, {"a": b"%04d\n" % number})
        after = take(folder, f"r-{number}", "m")
        seen.append(changes(before, after).lines)
        before = after

    assert [2] * 14 == seen


def test_snapshots_of_different_projects_are_not_compared(tmp_path):
    one = take(project(tmp_path / "one", {"a": b"a\n"}), "a", "m")
    two = take(project(tmp_path / "two", {"a": b"b\n"}), "a", "m")

    with pytest.raises(ValueError, match="not comparable"):
        changes(one, two)


def without_content(found):
    """The changes without the ids of their contents, which git chooses."""
    return tuple(msgspec.structs.replace(file, content="") for file in found.files)


def test_equal_contents_have_equal_ids(tmp_path):
    folder = project(tmp_path / "p", {"a.txt": b"one\n"})
    before = take(folder, "before", "m")
    for name in ("x.txt", "y.txt"):
        (folder / name).write_text("the same\n")
    contents = {file.path: file.content for file in changes(before, take(folder, "after", "m")).files}
    assert contents["x.txt"] == contents["y.txt"] != ""
