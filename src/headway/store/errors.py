"""Errors of the database of live sessions.

The hook imports `_sqlite3` instead of `sqlite3`, which adds dates and times to it and takes longer to import than the
hook takes to write an event.
"""

import _sqlite3 as sqlite3

SCHEMA_VERSION = 6


class DamagedDatabaseError(sqlite3.DatabaseError):
    """The file is not a usable database; it is moved aside and a new one is created."""


class NewerDatabaseError(sqlite3.DatabaseError):
    """A newer Headway created it. It is left alone, because this one would lose data it does not know."""


def check_version(connection: sqlite3.Connection) -> int:
    """The number of the latest migration of a database; an error if this Headway does not know it."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA_VERSION:
        raise NewerDatabaseError(
            f"written by {_writer(connection)} with schema version {version}; "
            f"this Headway supports version {SCHEMA_VERSION}. Update Headway, or use another folder (HEADWAY_STATE_DIR)"
        )
    return version


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error means that the file is damaged, rather than busy or not writable."""
    name = getattr(error, "sqlite_errorname", "")
    is_ours = name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")) or str(error).startswith("no such ")
    return is_ours or isinstance(error, DamagedDatabaseError)


def is_busy(error: sqlite3.Error) -> bool:
    """Whether the database was busy for too long."""
    return getattr(error, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def _writer(connection: sqlite3.Connection) -> str:
    try:
        query = "SELECT written_by FROM sessions WHERE written_by != '' ORDER BY seen_at DESC LIMIT 1"
        found = connection.execute(query).fetchone()
    except sqlite3.Error:
        found = None
    return f"Headway {found[0]}" if found else "a newer Headway"
