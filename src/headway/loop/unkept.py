"""Files that decide how a round is measured and that no snapshot holds, because the user's rules ignore them.

An ignored `conftest.py` decides about passing tests like any other. It is not kept, but a digest of what it says tells
whether a round made or changed it.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from posixpath import normpath

from headway.loop.yardstick import is_setting
from headway.snapshots import Baseline, Repository, Snapshot, paths_in_tree

EVERYWHERE = ("conftest.py",)
"""What a test runner reads in all folders above a test."""
CACHES = {
    "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".coverage", ".DS_Store",
    "node_modules", ".git", ".headway",
}  # fmt: skip
"""What programs write by the way when tests are run."""
MOST_GUARDED = 20_000
MOST_FOLDERS = 2_000
LARGEST = 1_000_000
"""Bytes of a file that is compared by what it says."""


def unkept_files(repository: Repository, folder: Path, kept: Snapshot, named: Iterable[str]) -> dict[str, str]:
    """Such files as they are now, each with a digest; `named` are scripts that the test command runs."""
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
    """All files at and below protected paths, ignored or not, each with a digest; caches aside."""
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
    """Those that were made, changed or removed."""
    return {place for place in {*then, *now} if then.get(place) != now.get(place)}


def prefix_of(root: Path, folder: Path) -> str:
    """What comes before a name in a folder, as seen from the root."""
    inner = os.path.relpath(folder.resolve(), root)
    return "" if inner == "." or inner.startswith("..") else f"{inner}/"


def _settings_in(folder: Path) -> list[str]:
    try:
        return [place.name for place in folder.iterdir() if is_setting(place.name)]
    except OSError:
        return []


def _digest(place: Path) -> str:
    try:
        if not place.is_file():  # a pipe would keep us waiting
            return ""
        with place.open("rb") as file:
            return hashlib.sha256(file.read(LARGEST)).hexdigest()[:16]
    except (OSError, ValueError):
        return ""
