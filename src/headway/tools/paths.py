"""Paths as agents write them, made comparable without touching the disk."""

from collections.abc import Iterable
from posixpath import commonprefix, normpath

from headway.rolling.lazy import regex

_JOB_OUTPUT = regex(r"/tasks/[\w-]+\.output$")
_STATES = frozenset(
    f"{name}{end}" for name in ("status", "progress", "heartbeat") for end in ("", ".txt", ".log", ".json")
)
"""Names of files in which a job says how far it is."""


def tidy(path: str) -> str:
    """One spelling for one path: no `./`, no doubled or trailing slash, no `a/../`."""
    if path.endswith(("/", "/.")) or "./" in path or "//" in path or "/.." in path:
        # normpath cuts at NUL in some Python versions, and a path with NUL names nothing anyway
        return path if "\0" in path or "://" in path else normpath(path)
    return path


def is_absolute(path: str) -> bool:
    """Whether a path does not depend on the working folder (also `~`, variables, drives and addresses)."""
    return path[:1] in ("/", "~", "$", "\\", "") or path[1:2] == ":" or "://" in path


def join(folder: str | None, path: str) -> str:
    """The path as seen from where `folder` is seen; `join("src", "a.py")` is `src/a.py`."""
    if not folder or folder == "." or is_absolute(path):
        return tidy(path)
    if "\0" in folder or "\0" in path:
        return path
    return normpath(f"{folder}/{path}")


def is_job_output(path: str) -> bool:
    """Whether a job writes its output or its state to this path, by its name: reading it polls the job."""
    if path.endswith(".output"):
        return _JOB_OUTPUT.search(path) is not None
    return path.rpartition("/")[2] in _STATES


def project_path(root: str | None, path: str) -> str:
    """One spelling per file: forward slashes, tidy, and relative to the root if it is below it."""
    path = tidy(path.replace("\\", "/"))
    if root and path.startswith(root) and path[len(root) : len(root) + 1] in ("/", ""):
        return path[len(root) + 1 :] or "."
    return path


def folder_of(path: str, is_file: bool) -> str:
    """The folder a path lies in; a path that may be a folder is one unless its name has an ending."""
    name = path.rfind("/") + 1
    if not is_file and "." not in path[name:].lstrip("."):
        return path
    return path[:name].rstrip("/") or path[:name]


def top_level(folders: Iterable[str]) -> list[str]:
    """The different top-level folders among some folders.

    Absolute ones are read below what they all share, because the root of the project is unknown.
    """
    absolute = [list(filter(None, folder.split("/"))) for folder in folders if folder.startswith("/")]
    depth = len(commonprefix(absolute))
    tops = {names[depth] for names in absolute if len(names) > depth}
    tops |= {folder.split("/")[0] for folder in folders if not folder.startswith("/")}
    return sorted(tops - {"", ".", ".."})
