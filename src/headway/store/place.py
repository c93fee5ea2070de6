"""Where Headway keeps what it has to remember between two calls of a hook.

Only `os` and `sys` are used here: a hook call is over in milliseconds, and importing `pathlib` would be felt.
"""

import os
import sys

OVERRIDE = "HEADWAY_STATE_DIR"
"""Environment variable that names another folder."""


def state_folder() -> str:
    """The user's folder for Headway's state, by the conventions of the platform."""
    if given := os.environ.get(OVERRIDE):
        return given
    if sys.platform == "win32":
        return os.path.join(os.environ.get("LOCALAPPDATA") or os.path.expanduser("~\\AppData\\Local"), "headway")
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Application Support/headway")
    return os.path.join(os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state"), "headway")


def database() -> str:
    """The database of live sessions."""
    return os.path.join(state_folder(), "sessions.db")


def queue_folder() -> str:
    """Where events wait that could not be taken in at once."""
    return os.path.join(state_folder(), "waiting")


def fault_logs() -> list[str]:
    """Where faults are noted: the first is the usual place, the second is used where that cannot be written."""
    user = os.getuid() if sys.platform != "win32" else os.environ.get("USERNAME", "")
    temporary = os.environ.get("TMPDIR") or os.environ.get("TEMP") or "/tmp"  # noqa: S108
    return [os.path.join(state_folder(), "faults.log"), os.path.join(temporary, f"headway-{user}", "faults.log")]


def make_private(folder: str) -> None:
    """Create a folder that only its user can look into; one that belongs to somebody else is refused."""
    os.makedirs(folder, mode=0o700, exist_ok=True)
    if sys.platform != "win32" and os.stat(folder).st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to somebody else")
