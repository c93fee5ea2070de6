"""One spelling for each file, and the folders above it."""

import posixpath
from collections.abc import Iterable

from headway.tools.paths import tidy


def project_path(root: str | None, path: str) -> str:
    """One spelling per file: forward slashes, tidy, and relative to the root where it lies below it."""
    path = tidy(path.replace("\\", "/"))
    if root and path.startswith(root) and path[len(root) : len(root) + 1] in ("/", ""):
        return path[len(root) + 1 :] or "."
    return path


def folder_of(path: str, is_file: bool) -> str:
    """The folder a path lies in; a path that may be a folder is one unless its name has an ending."""
    return posixpath.dirname(path) if is_file or "." in posixpath.basename(path).lstrip(".") else path


def top_level(folders: Iterable[str]) -> list[str]:
    """The different top-level folders among some folders.

    Absolute ones are read below what they all share, because the root of the project is unknown.
    """
    absolute = [folder for folder in folders if folder.startswith("/")]
    shared = posixpath.commonpath(absolute) if absolute else ""
    tops = {folder[len(shared) :].lstrip("/").split("/")[0] for folder in absolute}
    tops |= {folder.split("/")[0] for folder in folders if not folder.startswith("/")}
    return sorted(tops - {"", ".", ".."})
