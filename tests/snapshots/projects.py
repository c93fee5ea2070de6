"""Builds real projects, and compares every byte of them."""

import hashlib
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

Files = dict[str, bytes]
ALLOW_FILE = ("-c", "protocol.file.allow=always")


def own_settings(folder: Path, environment: pytest.MonkeyPatch) -> Path:
    """Global git settings with a user name, and none of this machine's. No commit starts programs that look for garbage."""
    settings = folder / "gitconfig"
    user = "[user]\n\tname = A Person\n\temail = person@example.invalid\n"
    settings.write_text(f"{user}[maintenance]\n\tauto = false\n")
    environment.setenv("GIT_CONFIG_GLOBAL", str(settings))
    environment.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return settings


def git(folder: Path, *arguments: str) -> str:
    """The user's own git, as a person would run it there."""
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=True)
    return done.stdout.decode()


def write(folder: Path, files: Files) -> None:
    for name, content in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)


def project(folder: Path, files: Files, *, commit: bool = True) -> Path:
    """A git project with these files."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    write(folder, files)
    if commit:
        commit_all(folder)
    return folder


def commit_all(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "work")


def plain(folder: Path, files: Files) -> Path:
    """A folder with these files and without git."""
    folder.mkdir(parents=True)
    write(folder, files)
    return folder


def lines(count: int, word: str = "line") -> bytes:
    return "".join(f"{word} {number}\n" for number in range(count)).encode()


def found(folder: Path) -> dict[str, tuple[str, bytes]]:
    """Every file below a folder with its kind and bytes, without git's and Headway's own folders."""
    seen = {}
    for here, folders, files in os.walk(folder):
        links = [name for name in folders if (Path(here) / name).is_symlink()]
        folders[:] = [name for name in folders if name not in (".git", ".headway")]
        for name in (*files, *links):
            if name != ".git":
                place = Path(here) / name
                seen[os.fsdecode(place.relative_to(folder))] = _look_at(place)
    return seen


def _look_at(place: Path) -> tuple[str, bytes]:
    mode = place.lstat().st_mode
    if stat.S_ISLNK(mode):
        return "link", os.fsencode(place.readlink())
    return ("program" if mode & stat.S_IXUSR else "file"), place.read_bytes()


def users_git(folder: Path) -> dict[str, str]:
    """A hash of every file in the user's git directory except objects and Headway's own: index, HEAD, refs, logs …"""
    git_dir = folder / ".git"
    theirs = (place for place in git_dir.rglob("*") if place.is_file() and not _is_headways(place.relative_to(git_dir)))
    hashes = {str(place.relative_to(git_dir)): hashlib.sha256(place.read_bytes()).hexdigest() for place in theirs}
    return hashes | {"index time": str((git_dir / "index").stat().st_mtime_ns if (git_dir / "index").exists() else 0)}


def _is_headways(place: Path) -> bool:
    return place.parts[0] in ("objects", "headway") or place.parts[:2] == ("refs", "headway")


def empty(folder: Path) -> None:
    """Remove everything except git's and Headway's own folders."""
    for place in folder.iterdir():
        if place.name not in (".git", ".headway"):
            shutil.rmtree(place) if place.is_dir() and not place.is_symlink() else place.unlink()
