"""Bring the database of live sessions up to date: the files in `migrations/`, in the order of their numbers."""

import sqlite3
from importlib.resources import files

from headway.store.errors import DamagedDatabaseError


def migrate(connection: sqlite3.Connection) -> None:
    """Run the missing migrations, all or none of them."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        done = connection.execute("PRAGMA user_version").fetchone()[0]  # another process may have been faster
        if not done and connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise DamagedDatabaseError("it has tables, but no version")
        for number, script in migrations():
            if number > done:
                for statement in _statements(script):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {number}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def migrations() -> list[tuple[int, str]]:
    """Numbers and texts of all migrations."""
    folder = files("headway.store").joinpath("migrations")
    found = [(int(path.name[:3]), path.read_text("utf-8")) for path in folder.iterdir() if path.name.endswith(".sql")]
    return sorted(found)


def _statements(script: str) -> list[str]:
    """The statements of a script; `executescript` would end our transaction."""
    lines = [line.partition("--")[0] for line in script.splitlines()]
    return [statement for statement in "\n".join(lines).split(";") if statement.strip()]
