"""Finds files that decide how a round is measured and that no snapshot holds, because they are ignored.

An ignored `conftest.py` influences tests like any other. It is not saved, but a digest shows whether a round created or
changed it.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from posixpath import normpath

from headway.loop.measuring_files import is_setting
from headway.snapshots import Baseline, Repository, Snapshot, paths_in_tree

EVERYWHERE = ("conftest.py",)
"""Files that a test runner reads in all folders above a test."""
CACHES = {
    "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".coverage", ".DS_Store",
    "node_modules", ".git", ".headway",
}  # fmt: skip
"""Files that programs write when tests run."""
MOST_GUARDED = 20_000
MOST_FOLDERS = 2_000
MAX_COMPARED_BYTES = 1_000_000


def unkept_files(repository: Repository, folder: Path, kept: Snapshot, named: Iterable[str]) -> dict[str, str]:
    """These files with their digests; `named` are scripts that the test command runs."""
    root, prefix = repository.root, prefix_of(repository.root, folder)
    folders = map(os.fsdecode, Baseline(repository, kept.baseline).facts.directories) if kept.baseline else ()
    places = {normpath(f"{prefix}{name}") for name in named if not name.startswith(("/", "~"))}
    places |= {f"{place}{name}" for place in {"", prefix} for name in _settings_in(root / place)}
    places |= {normpath(f"{one}/{name}") for one in [*folders][:MOST_FOLDERS] for name in EVERYWHERE}
    inside = (place for place in sorted(places) if not place.startswith("../"))
    found = {place: digest for place in inside if (digest := _digest(root / place))}
    in_snapshot = paths_in_tree(repository, kept, found) if found else set()
    return {place: digest for place, digest in found.items() if place not in in_snapshot}


def guarded_files(root: Path, protect: Iterable[str]) -> dict[str, str]:
    """All files at and below protected paths, ignored or not, with digests; without caches."""
    found: dict[str, str] = {}
    for path in protect:
        for place in _all_below(root / path):
            if len(found) < MOST_GUARDED and (digest := _digest(place)):
                found[os.fsencode(place.relative_to(root)).decode("utf-8", "backslashreplace")] = digest
    return found


def _all_below(place: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(place):
        folders[:] = sorted(name for name in folders if name not in CACHES)
        yield from (Path(folder) / name for name in sorted(files) if name not in CACHES)
    if place.is_file():
        yield place


def changed_since(then: Mapping[str, str], now: Mapping[str, str]) -> set[str]:
    """Files that were created, changed or removed."""
    return {place for place in {*then, *now} if then.get(place) != now.get(place)}


def prefix_of(root: Path, folder: Path) -> str:
    """The path of a folder relative to the root, to prepend to names in it."""
    inner = os.path.relpath(folder.resolve(), root)
    return "" if inner == "." or inner.startswith("..") else f"{inner}/"


def _settings_in(folder: Path) -> list[str]:
    try:
        return [place.name for place in folder.iterdir() if is_setting(place.name)]
    except OSError:
        return []


def _digest(place: Path) -> str:
    try:
        if not place.is_file():  # reading a pipe could block
            return ""
        with place.open("rb") as file:
            return hashlib.sha256(file.read(MAX_COMPARED_BYTES)).hexdigest()[:16]
    except (OSError, ValueError):
        return ""
