"""What can be wrong with the database of live sessions, and what follows from it."""

import sqlite3

VERSION = 1
"""Number of the latest migration."""


class DamagedDatabaseError(sqlite3.DatabaseError):
    """It is no database of ours; it is put aside and a new one begun."""


class NewerDatabaseError(sqlite3.DatabaseError):
    """A newer Headway made it. It is left as it is: what this one does not know, it would lose."""


def check_version(connection: sqlite3.Connection) -> int:
    """The number of the latest migration that a database has seen; an error if this Headway does not know it."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise NewerDatabaseError(
            f"it was written by {_writer(connection)}, in version {version} of its form; "
            f"this Headway knows version {VERSION}. Update Headway, or name another folder with HEADWAY_STATE_DIR"
        )
    return version


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error says that the file is no usable database, rather than that it is busy or cannot be written."""
    name = getattr(error, "sqlite_errorname", "")
    is_ours = name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")) or str(error).startswith("no such ")
    return is_ours or isinstance(error, DamagedDatabaseError)


def is_busy(error: sqlite3.Error) -> bool:
    """Whether others kept the database busy for longer than anybody waits."""
    return getattr(error, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def _writer(connection: sqlite3.Connection) -> str:
    try:
        query = "SELECT written_by FROM sessions WHERE written_by != '' ORDER BY seen_at DESC LIMIT 1"
        found = connection.execute(query).fetchone()
    except sqlite3.Error:
        found = None
    return f"Headway {found[0]}" if found else "a newer Headway"
