"""Paths as agents write them, made comparable without touching the disk."""

from posixpath import normpath

from headway.rolling.regex import regex

_JOB_OUTPUT = regex(r"/tasks/[\w-]+\.output$")


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
    """Whether an agent program keeps the output of a background job there: reading it asks how far the job is."""
    return path.endswith(".output") and _JOB_OUTPUT.search(path) is not None
