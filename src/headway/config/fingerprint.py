"""Which files settings come from, and whether one of them has changed.

Only `os` and `sys` are used here: the hook checks this at every call, and reads the files only if they have changed.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PROJECT_FILES = ("headway.toml", "headway.yaml", "headway.yml", "pyproject.toml")
PREFIX = "HEADWAY_"


def settings_fingerprint(folder: str) -> str:
    """A text that changes whenever the settings for a folder may have changed."""
    parts = [
        _user_file(os.environ),
        *(os.path.join(place, name) for place in _upwards(folder) for name in PROJECT_FILES),
    ]
    marks = [mark for mark in map(_mark, parts) if mark]
    marks += sorted(f"{name}={os.environ[name]}" for name in os.environ if name.startswith(PREFIX) and "__" in name)
    return "\n".join(marks)


def user_folder(environment: "Mapping[str, str]") -> str:
    """The folder for user configuration on this platform."""
    if sys.platform == "win32" and environment.get("APPDATA"):
        return environment["APPDATA"]
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Application Support")
    return environment.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")


def _user_file(environment: "Mapping[str, str]") -> str:
    return os.path.join(user_folder(environment), "headway", "config.toml")


def _upwards(folder: str) -> "Iterator[str]":
    place = os.path.abspath(folder or ".")
    while True:
        yield place
        above = os.path.dirname(place)
        if above == place:
            return
        place = above


def _mark(path: str) -> str:
    try:
        found = os.stat(path)
    except OSError:
        return ""
    return f"{path} {found.st_mtime_ns} {found.st_size}"
