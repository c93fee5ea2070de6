"""Reads a project's files, which may be missing, huge or broken."""

import shutil
import tomllib
from pathlib import Path
from typing import Any

_MOST = 1_000_000


def text_of(path: Path) -> str:
    """The beginning of a text file; empty if there is none, or if it is a pipe."""
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return file.read(_MOST).decode("utf-8", "replace")
    except OSError:
        return ""


def toml_of(path: Path) -> dict[str, Any]:
    """The content of a TOML file; empty if it is missing or invalid."""
    try:
        return tomllib.loads(text_of(path))
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def has_any(folder: Path, *names: str) -> bool:
    """Whether the folder has one of these files."""
    return any((folder / name).is_file() for name in names)


def program(name: str, *places: Path) -> str:
    """The path of a program: in one of the places, else on the search path; its bare name if it is not found."""
    for place in places:
        if (place / name).is_file():
            return str(place / name)
    return shutil.which(name) or name
