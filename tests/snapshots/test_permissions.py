"""File permissions are restored with the files, in every round."""

import shutil
import stat

import pytest

from headway.snapshots import Repository, export, load, permissions_between, restore, take
from tests.slow import slow
from tests.snapshots.projects import git, plain, project, write


@pytest.fixture(params=["git", *slow("plain")])
def folder(request, tmp_path):
    files = {"a.key": b"k\n", "b.py": b"b\n", "run": b"#!\n", "sub/c.key": b"c\n", "sub/deep/d": b"d\n"}
    made = (project if request.param == "git" else plain)(tmp_path / "p", files)
    for name in files:
        (made / name).chmod(0o644)
    for name, mode in {"a.key": 0o600, "run": 0o755, "sub/c.key": 0o440, "sub": 0o750, "sub/deep": 0o755}.items():
        (made / name).chmod(mode)
    return made


def modes(folder):
    here = {path.relative_to(folder): path for path in folder.rglob("*")}
    return {
        str(name): stat.S_IMODE(path.lstat().st_mode)
        for name, path in here.items()
        if not {".git", ".headway"} & {*name.parts}
    }


def test_permissions_are_restored_without_a_change_of_content(folder):
    first, before = take(folder, "loop/0", "m", first=True), modes(folder)
    for path in folder.rglob("*"):
        if not {".git", ".headway"} & {*path.relative_to(folder).parts}:
            path.chmod(0o777)
    bad = take(folder, "loop/1", "m", like=first)
    bad_modes = modes(folder)

    done = restore(folder, first, "kept")
    assert before == modes(folder)
    assert {"a.key", "sub/", "sub/c.key"} <= set(done.permissions) | set(done.written)

    restore(folder, bad, "kept")
    assert bad_modes == modes(folder)


def test_a_secret_made_readable_for_others_is_closed_again(folder):
    first = take(folder, "loop/0", "m", first=True)
    (folder / "a.key").chmod(0o666)
    (folder / "b.py").chmod(0o600)
    now = take(folder, "loop/1", "m", like=first)
    repository = Repository.at(folder)

    assert (first.tree, {"a.key": 0o666, "b.py": 0o600}) == (now.tree, now.modes)
    assert ["a.key", "b.py"] == permissions_between(repository, now, first)
    assert ("a.key", "b.py") == restore(folder, first, "kept").permissions
    assert (0o600, 0o644) == (modes(folder)["a.key"], modes(folder)["b.py"])
    assert {} == take(folder, "loop/2", "m", like=first).modes


def test_permissions_after_git_stash_are_restored(tmp_path):
    folder = project(tmp_path / "p", {"a.key": b"k\n", "b": b"b\n"})
    (folder / "a.key").chmod(0o600)
    write(folder, {"a.key": b"mine\n"})
    (folder / "logs").mkdir()
    first = take(folder, "loop/0", "m", first=True)
    git(folder, "stash", "-u")
    git(folder, "stash", "pop")
    assert 0o644 == modes(folder)["a.key"] and not (folder / "logs").exists()

    assert {"a.key": -1} == take(folder, "loop/1", "m", like=first).modes
    restore(folder, first, "kept")
    assert 0o600 == modes(folder)["a.key"] and (folder / "logs").is_dir()


def test_each_round_has_its_own_permissions(folder):
    first = take(folder, "loop/0", "m", first=True)
    write(folder, {"new.key": b"n\n", "é\udcff.key": b"u\n"})
    for name in ("new.key", "é\udcff.key"):
        (folder / name).chmod(0o600)
    second = take(folder, "loop/1", "m", like=first)
    for name in ("new.key", "é\udcff.key"):
        (folder / name).chmod(0o644)
    third = take(folder, "loop/2", "m", like=first)

    assert (second.tree, second.modes) == (third.tree, {**third.modes, "new.key": 0o600, "é\udcff.key": 0o600})
    assert second == load(folder, "loop/1")
    restore(folder, second, "kept")
    assert 0o600 == modes(folder)["new.key"] == modes(folder)["é\udcff.key"]


def test_a_snapshot_with_other_permissions_is_not_reused(folder):
    first = take(folder, "loop/0", "m", first=True)
    one = take(folder, "loop/1", "m", like=first, replace=False)
    assert one == take(folder, "loop/1", "m", like=first, replace=False)
    (folder / "b.py").chmod(0o600)
    assert "refs/headway/loop/1-2" == take(folder, "loop/1", "m", like=first, replace=False).ref


def test_an_export_has_the_permissions(folder, tmp_path):
    first = take(folder, "loop/0", "m", first=True)
    (folder / "b.py").chmod(0o600)
    export(first, tmp_path / "first")
    export(take(folder, "loop/1", "m", like=first), tmp_path / "second")
    export(take(folder, "alone", "m"), tmp_path / "alone")

    files = {"a.key": 0o600, "b.py": 0o644, "run": 0o755, "sub/c.key": 0o440, "sub/deep/d": 0o644}
    assert files == {name: mode for name, mode in modes(tmp_path / "first").items() if name in files}
    for place in ("second", "alone"):
        assert {**files, "b.py": 0o600} == {
            name: mode for name, mode in modes(tmp_path / place).items() if name in files
        }


def test_a_file_without_read_permission_is_still_saved(folder):
    (folder / "b.py").chmod(0)
    first = take(folder, "loop/0", "m", first=True)
    (folder / "b.py").chmod(0o644)
    restore(folder, first, "kept")
    assert 0 == modes(folder)["b.py"]


def test_removed_or_opened_folders_get_their_permissions_back(folder):
    write(folder, {".gitignore": b"nm/\n", "priv/key": b"k\n", "nm/in/a": b"a\n"})
    (folder / "empty").mkdir()
    private = {"empty": 0o700, "priv": 0o700, "nm": 0o700, "nm/in": 0o700, ".": 0o750}
    for name, mode in private.items():
        (folder / name).chmod(mode)
    first = take(folder, "loop/0", "m", first=True)
    shutil.rmtree(folder / "priv")
    (folder / "empty").rmdir()
    for name in ("nm", "nm/in", "."):
        (folder / name).chmod(0o777)
    opened = take(folder, "loop/1", "m", like=first)

    restore(folder, first, "kept")
    assert private == {name: stat.S_IMODE((folder / name).stat().st_mode) for name in private}
    assert {"./": 0o777} == opened.modes
