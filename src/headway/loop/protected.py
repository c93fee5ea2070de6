"""Checks the paths of `--protect` before the first round, because a misspelled path protects nothing."""

import os
from pathlib import Path

import msgspec

from headway.config.settings import Settings
from headway.loop.programs import UsageError
from headway.snapshots import Repository, is_ignored

OURS = (".git", ".headway")


def with_protected(settings: Settings, folder: Path, repository: Repository | None) -> Settings:
    """The settings with protected paths relative to the root of the repository, like those of changed files."""
    root = repository.root if repository else folder.resolve()
    paths = tuple(_checked(path, folder, root, repository) for path in settings.loop.protect)
    return msgspec.structs.replace(settings, loop=msgspec.structs.replace(settings.loop, protect=paths))


def _checked(path: str, folder: Path, root: Path, repository: Repository | None) -> str:
    place = folder.resolve() / path
    inner = os.path.relpath(os.path.normpath(place), root)
    if not path.strip() or not os.path.lexists(place):
        raise UsageError(f"--protect {path}: no such file or folder in {folder}, so nothing would be protected")
    if inner.startswith(".."):
        raise UsageError(f"--protect {path}: this is outside {root}, so rounds do not include it")
    if repository is not None and is_ignored(repository, inner):
        raise UsageError(f"--protect {path}: git ignores this, so changes would not be detected")
    if inner.partition("/")[0] in OURS:
        raise UsageError(f"--protect {path}: this is not part of the project's files, so rounds do not include it")
    if inner == ".":
        raise UsageError(f"--protect {path}: this is the whole project, so every round would be rolled back")
    return f"{inner}/" if place.is_dir() else inner
