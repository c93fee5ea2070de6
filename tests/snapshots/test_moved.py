"""Ignored files that a round moves are not saved, and are moved back."""

import os

import msgspec
import pytest

from headway.snapshots import changes, restore, take
from headway.snapshots.creation_time import creation_time
from headway.snapshots.moved import Displaced, identity_at
from tests.snapshots.projects import found, git, project, write

RULES = b"/.env\ndata/*.db\n/vendor/\nsecrets/\n*.key\n"
THEIRS = {
    ".env": b"SECRET=1\n",
    "data/rows.db": b"rows\n",
    "vendor/lib/v.js": b"v\n",
    "secrets/token": b"t\n",
    "my.key": b"k\n",
}
OURS = {".gitignore": RULES, "code.py": b"x\n", "data/readme": b"r\n"}


@pytest.fixture
def folder(tmp_path):
    made = project(tmp_path / "p", OURS)
    write(made, THEIRS)
    return made


def moved(folder, *pairs):
    for origin, place in pairs:
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / origin).rename(folder / place)


@pytest.mark.parametrize(
    "pairs",
    [
        [(".env", "cfg/.env")],
        [(".env", "settings.txt")],
        [("data", "data2")],
        [("vendor", "third_party/vendor")],
        [("vendor", "node_modules")],
        [("secrets/token", "token")],
        [("my.key", "keys/my.key")],
        [("data/rows.db", "rows.db"), (".env", "a/b/c/.env"), ("secrets", "known")],
    ],
    ids=str,
)
def test_moved_ignored_files_are_not_saved_and_are_moved_back(folder, pairs):
    first = take(folder, "loop/0", "m", first=True)
    moved(folder, *pairs)
    write(folder, {"code.py": b"broken\n", "new.py": b"n\n"})
    second = take(folder, "loop/1", "m", like=first)

    taken = {file.path for file in changes(first, second).files}
    assert taken - {"data/readme", "data2/readme"} == {"code.py", "new.py"}
    done = restore(folder, first, "kept")

    assert {**OURS, **THEIRS} == {name: content for name, (_, content) in found(folder).items()}
    assert {origin for origin, _ in pairs} - {"data"} <= set(done.put_back)
    left = {place.name for place in folder.iterdir()}
    assert {".git", ".gitignore", "code.py", "data", ".env", "vendor", "secrets", "my.key"} == left


def test_a_moved_and_rewritten_file_is_recognised_by_its_name(folder):
    first = take(folder, "loop/0", "m", first=True)
    moved(folder, (".env", "cfg/.env"))
    (folder / "cfg/.env").write_bytes(b"SECRET=1\nMORE=2\n")

    assert first.tree == take(folder, "loop/1", "m", like=first).tree
    restore(folder, first, "kept")
    assert b"SECRET=1\nMORE=2\n" == (folder / ".env").read_bytes()


def test_a_file_from_another_disk_is_recognised_by_its_time(folder):
    first = take(folder, "loop/0", "m", first=True)
    was = (folder / ".env").stat()
    write(folder, {"cfg/.env": b"SECRET=1\n"})  # another inode
    (folder / ".env").unlink()
    os.utime(folder / "cfg/.env", ns=(was.st_atime_ns, was.st_mtime_ns))

    assert first.tree == take(folder, "loop/1", "m", like=first).tree
    restore(folder, first, "kept")
    assert b"SECRET=1\n" == (folder / ".env").read_bytes()


def test_a_moved_file_stays_if_its_place_is_taken(folder):
    first = take(folder, "loop/0", "m", first=True)
    moved(folder, (".env", "cfg/.env"))
    write(folder, {".env": b"another\n"})

    assert first.tree == take(folder, "loop/1", "m", like=first).tree
    restore(folder, first, "kept")
    assert (b"another\n", b"SECRET=1\n") == ((folder / ".env").read_bytes(), (folder / "cfg/.env").read_bytes())


def test_a_new_file_with_the_inode_of_a_deleted_one_belongs_to_the_round(folder):
    """File systems reuse inodes, but the creation time differs."""
    now = identity_at(str(folder / "code.py"))
    deleted = (
        msgspec.structs.replace(now, created=now.created + 1) if now.created else msgspec.structs.replace(now, size=9)
    )

    assert "gone.env" == Displaced(str(folder), {b"gone.env": now}).origin("code.py")
    assert Displaced(str(folder), {b"gone.env": deleted}).origin("code.py") is None


@pytest.mark.skipif(not creation_time(__file__), reason="the system does not tell when a file was made")
def test_a_moved_and_edited_file_is_not_saved_and_is_moved_back(folder):
    first = take(folder, "loop/0", "m", first=True)
    moved(folder, (".env", "env.txt"), ("secrets", "public"))
    (folder / "env.txt").write_bytes(b"SECRET=1\nMORE=2\n")
    write(folder, {"public/more": b"m\n"})

    assert first.tree == take(folder, "loop/1", "m", like=first).tree
    restore(folder, first, "kept")
    assert b"SECRET=1\nMORE=2\n" == (folder / ".env").read_bytes()
    assert {"token", "more"} == {place.name for place in (folder / "secrets").iterdir()}
    assert not (folder / "env.txt").exists() and not (folder / "public").exists()


def test_moved_links_and_empty_folders_are_moved_back(folder, tmp_path):
    (tmp_path / "big").mkdir()
    links = {"linked.key": tmp_path / "big", "broken.key": tmp_path / "nothing", "secrets/inner": tmp_path / "big"}
    for name, target in links.items():
        (folder / name).symlink_to(target)
    (folder / "secrets/empty").mkdir()
    first = take(folder, "loop/0", "m", first=True)
    moved(folder, ("linked.key", "old"), ("broken.key", "b"), ("secrets", "public"))
    (folder / "public/extra").write_bytes(b"x\n")

    assert first.tree == take(folder, "loop/1", "m", like=first).tree
    restore(folder, first, "kept")
    assert links == {name: (folder / name).readlink() for name in links}
    assert (folder / "secrets/empty").is_dir()
    assert not os.path.lexists(folder / "old") and not os.path.lexists(folder / "b")


def test_a_link_moved_out_of_an_ignored_folder_is_moved_back(folder, tmp_path):
    (folder / "secrets/inner").symlink_to(tmp_path)
    first = take(folder, "loop/0", "m", first=True)
    moved(folder, ("secrets/inner", "inner"))

    assert first.tree == take(folder, "loop/1", "m", like=first).tree
    restore(folder, first, "kept")
    assert tmp_path == (folder / "secrets/inner").readlink()


def test_a_moved_file_forced_into_the_index_is_not_saved(folder):
    first = take(folder, "loop/0", "m", first=True)
    moved(folder, (".env", "cfg/.env"))
    git(folder, "add", "-f", "cfg/.env")

    assert first.tree == take(folder, "loop/1", "m", like=first).tree


def test_an_ignored_file_moved_over_a_projects_file_is_not_saved(folder):
    """The names are the same as in the round before."""
    first = take(folder, "loop/0", "m", first=True)
    write(folder, {"cfg/.env": b"example\n"})
    take(folder, "loop/1", "m", like=first)
    moved(folder, (".env", "cfg/.env"))

    assert first.tree == take(folder, "loop/2", "m", like=first).tree


def test_added_permissions_of_an_ignored_file_are_removed(folder):
    (folder / ".env").chmod(0o600)
    (folder / "my.key").chmod(0o640)
    first = take(folder, "loop/0", "m", first=True)
    for path, mode in {".env": 0o777, "my.key": 0o600, "secrets/token": 0o666, "vendor": 0o777}.items():
        (folder / path).chmod(mode)
    restore(folder, first, "kept")

    modes = {path: (folder / path).stat().st_mode & 0o777 for path in (".env", "my.key", "secrets/token", "vendor")}
    assert {".env": 0o600, "my.key": 0o600, "secrets/token": 0o644, "vendor": 0o755} == modes
