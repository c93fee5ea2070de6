"""The cached index makes a second snapshot cheap and never makes it wrong."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from headway.snapshots import GitError, Repository, export, forget, list_snapshots, load, take
from headway.snapshots.locks import in_use
from tests.snapshots.projects import found, git, lines, plain, project, write

MANY = 5_000


def cpu_seconds(work) -> float:
    """CPU time of this process and its git processes, so that other programs hardly matter."""
    before = os.times()
    work()
    return sum(os.times()[:4]) - sum(before[:4])


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("large") / "project"
    files = {f"d{number % 50}/f{number}": lines(100, str(number)) for number in range(MANY)}
    return plain(folder, files)


def test_a_second_snapshot_of_many_files_does_not_hash_them_again(large):
    first = cpu_seconds(lambda: take(large, "first", "m"))
    write(large, {"d1/f1": b"changed\n"})
    second = min(cpu_seconds(lambda: take(large, "second", "m")) for _ in range(3))

    assert MANY == load(large, "second").files
    assert second < first / 3


def test_a_damaged_cached_index_is_made_again(tmp_path):
    folder = project(tmp_path / "project", {"a": b"a\n"})
    first = take(folder, "first", "m")
    (Repository.at(folder).room / "index").write_bytes(b"DIRC nonsense")

    assert first.tree == take(folder, "second", "m").tree


def test_a_cached_index_with_pruned_objects_is_made_again(tmp_path):
    folder = project(tmp_path / "project", {"a": b"a\n"})
    write(folder, {"d/untracked": b"u\n", "e/f": b"f\n"})
    take(folder, "first", "m")
    forget(folder)
    git(folder, "gc", "-q", "--prune=now")

    export(take(folder, "second", "m"), tmp_path / "out")

    assert found(folder) == found(tmp_path / "out")


def test_a_listing_that_fails_leaves_nothing_behind(tmp_path):
    """The git processes that wait for paths end without any."""
    folder = project(tmp_path / "project", {"a.txt": b"a"})
    before, repository = take(folder, "before", "m"), Repository.at(folder)
    settings = folder / ".git" / "config"
    whole = settings.read_text()
    settings.write_text("[damaged")
    (folder / "a.txt").write_text("b")
    with pytest.raises(GitError, match="git ls-files failed in"):
        take(repository, "after", "m")
    settings.write_text(whole)
    room = folder / ".git" / "headway"
    assert [] == [path.name for path in room.iterdir() if path.name.startswith("scratch-") or path.suffix == ".lock"]
    assert [before] == list_snapshots(folder)


def test_a_lock_left_by_a_killed_process_does_not_matter(tmp_path):
    folder = project(tmp_path / "project", {"a": b"a\n"})
    take(folder, "first", "m")
    (Repository.at(folder).room / "index.lock").write_bytes(b"")
    write(folder, {"b": b"b\n"})

    assert 2 == take(folder, "second", "m").files


def test_scratch_folders_of_killed_processes_are_removed_and_others_are_not(tmp_path):
    folder = project(tmp_path / "project", {"a": b"a\n"})
    room = Repository.at(folder).room
    (room / "scratch-of-the-dead").mkdir()
    (room / "scratch-in-use").mkdir()

    with in_use(room / "scratch-in-use"):
        take(folder, "first", "m")
        assert ["scratch-in-use"] == [place.name for place in room.glob("scratch-*")]

    take(folder, "second", "m")
    assert [] == list(room.glob("scratch-*"))


def test_a_lock_left_on_our_own_ref_is_removed(tmp_path):
    """Git leaves a lock if it is killed while it writes the ref."""
    folder = project(tmp_path / "project", {"a": b"a\n"})
    take(folder, "x/first", "m")
    lock = folder / ".git" / "refs" / "headway" / "x" / "first.lock"
    lock.write_bytes(b"")

    again = take(folder, "x/first", "again")

    assert again == load(folder, "x/first")
    assert not lock.exists()


def test_a_half_made_git_directory_of_a_killed_process_is_replaced(tmp_path):
    folder = project(tmp_path / "project", {"a": b"a\n"})
    write(folder, {".git/headway-making-dead/made/HEAD": b"half"})

    take(folder, "first", "m")

    assert not (folder / ".git" / "headway-making-dead").exists()


def same_size(folder: Path) -> None:
    write(folder, {"a": b"2\n"})


def back_in_place(folder: Path) -> None:
    (folder / "gone").write_bytes(b"back\n")


def newly_executable(folder: Path) -> None:
    (folder / "a").chmod(0o755)


def a_link_now(folder: Path) -> None:
    (folder / "a").unlink()
    (folder / "a").symlink_to("b")


def untracked(folder: Path) -> None:
    git(folder, "rm", "-q", "--cached", "b")
    write(folder, {".git/info/exclude": b"b\n"})


def with_old_times(folder: Path) -> None:
    """Same size and mtime: only the ctime differs."""
    was = (folder / "a").stat()
    write(folder, {"a": b"3\n"})
    os.utime(folder / "a", ns=(was.st_atime_ns, was.st_mtime_ns))


@pytest.mark.parametrize("edit", [same_size, back_in_place, newly_executable, a_link_now, untracked, with_old_times])
def test_the_cached_index_never_hides_a_change(tmp_path, own_git_settings, edit):
    """Each change right after a snapshot, within the same second, even if the user's settings make git ignore it."""
    own_git_settings.write_text(own_git_settings.read_text() + "[core]\n\tcheckStat = minimal\n\ttrustctime = false\n")
    folder = project(tmp_path / "project", {"a": b"1\n", "b": b"b\n", "gone": b"gone\n"})
    (folder / "gone").unlink()
    first = take(folder, "first", "m")
    assert first.tree == take(folder, "second", "m").tree

    edit(folder)

    third = take(folder, "third", "m")
    expected = {name: seen for name, seen in found(folder).items() if not (edit is untracked and name == "b")}
    export(third, tmp_path / "out")
    assert first.tree != third.tree
    assert expected == found(tmp_path / "out")
    assert len(expected) == third.files


def test_files_saved_with_also_are_not_cached(tmp_path):
    """Restoring saves ignored files that it would overwrite; the next snapshot is without them again."""
    folder = project(tmp_path / "project", {".gitignore": b"*.log\n", "a": b"a\n"})
    write(folder, {"x.log": b"x\n"})
    take(folder, "first", "m")

    assert 3 == take(folder, "with", "m", also=["x.log"]).files
    assert 2 == take(folder, "without", "m").files


PROGRAM = "import sys; from headway.snapshots import take; print(take(sys.argv[1], sys.argv[2], 'm').tree)"


def test_many_processes_at_once_take_equal_snapshots(tmp_path):
    """Including the first ones, which create the private git directory."""
    folder = plain(tmp_path / "folder", {f"f{number}": lines(5, str(number)) for number in range(300)})

    running = [
        subprocess.Popen([sys.executable, "-c", PROGRAM, str(folder), f"p-{number}"], stdout=subprocess.PIPE)
        for number in range(6)
    ]
    trees = [process.communicate()[0].decode().strip() for process in running]

    assert [0] * 6 == [process.returncode for process in running]
    assert {take(folder, "last", "m").tree} == set(trees)
