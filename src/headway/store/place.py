"""Where Headway stores state between two calls of the hook.

Only `os` and `sys` are used here: a hook call is over in milliseconds, and importing `pathlib` takes noticeable time.
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


def to_read(path: str) -> str:
    """The URI by which SQLite opens a database read-only; special characters are escaped."""
    path = os.path.abspath(path).replace(os.sep, "/")
    for character in "%?#":
        path = path.replace(character, f"%{ord(character):02x}")
    return f"file:{path}?mode=ro"


def service_socket() -> str:
    """The socket of `headway serve`; `hosts/hook/client.py` finds it without importing this."""
    return os.path.join(state_folder(), "serve.sock")


def service_token() -> str:
    """The file with the token of `headway serve`."""
    return os.path.join(state_folder(), "serve.token")


def service_record() -> str:
    """The file with the address of `headway serve`. The running service holds a lock on it."""
    return os.path.join(state_folder(), "serve.json")


def queue_folder() -> str:
    """The folder of events that wait for the database."""
    return os.path.join(state_folder(), "waiting")


def fault_logs() -> list[str]:
    """The fault logs: the usual one, and one that is used if the first cannot be written.

    The second is in a folder that all state folders of a user share, so its name identifies the state folder.
    """
    from zlib import crc32  # needed only after a fault

    user = os.getuid() if sys.platform != "win32" else os.environ.get("USERNAME", "")
    temporary = os.environ.get("TMPDIR") or os.environ.get("TEMP") or "/tmp"  # noqa: S108
    state = state_folder()
    name = f"faults-{crc32(os.fsencode(os.path.abspath(state))):08x}.log"
    return [os.path.join(state, "faults.log"), os.path.join(temporary, f"headway-{user}", name)]


class PlaceError(PermissionError):
    """Headway's state cannot be stored in a folder; the message says where, why and what to do."""

    def __init__(self, why: str) -> None:
        super().__init__(f"{why}; set {OVERRIDE} to a folder of your own that can be written")


def make_private(folder: str) -> None:
    """Create a folder that only its owner can read. A folder of another user is rejected."""
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
    except OSError as error:
        raise PlaceError(f"{error.filename}: {error.strerror}") from error
    refuse_others(folder)


def refuse_others(folder: str) -> None:
    """Reject a folder of another user."""
    if sys.platform != "win32" and os.stat(folder).st_uid != os.getuid():
        raise PlaceError(f"{folder} belongs to another user")
