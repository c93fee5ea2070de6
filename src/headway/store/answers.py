"""Stores a person's answers about a project: calls that may repeat, and detectors that are muted.

These functions use an open connection and change nothing else; the caller commits. The commands for people (`allow`,
`mute`, `unmute`, `stop`, `leave_alone`) are in `headway/hosts/hook/orders.py`.
"""

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

ALLOW, MUTE = "allow", "mute"
MAX_ALLOWED = 100
"""Maximum number of allowed calls in a project. The oldest are deleted first."""


class Answer:
    """One answer of a person."""

    def __init__(self, project: str, kind: str, subject: str, about: str, at: float, until: float | None) -> None:
        self.project, self.kind, self.subject = project, kind, subject
        self.about, self.at, self.until = about, at, until
        """`until` is None for a permanent answer."""


def project_of(folder: str) -> str:
    """The project of a folder: the nearest folder with `.git`, or else the folder itself."""
    here = place = os.path.realpath(folder or ".")
    while not os.path.exists(os.path.join(place, ".git")):
        above = os.path.dirname(place)
        if above == place:
            return here
        place = above
    return place


def answers_in(connection: "sqlite3.Connection", project: str) -> list[Answer]:
    """The valid answers in a project, oldest first."""
    query = (
        "SELECT project, kind, subject, about, at, until FROM answers "
        "WHERE project = ? AND (until IS NULL OR until > ?) ORDER BY at, subject"
    )
    return [Answer(*row) for row in connection.execute(query, (project, time.time()))]


def remember(
    connection: "sqlite3.Connection",
    project: str,
    kind: str,
    subjects: "Iterable[tuple[str, str]]",
    seconds: float | None = None,
) -> None:
    """Store answers as pairs of a subject and its description; permanently, or for some seconds."""
    now = time.time()
    until = None if seconds is None else now + seconds
    connection.executemany(
        "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)",
        [(project, kind, subject, about, now, until) for subject, about in subjects],
    )
    connection.execute("DELETE FROM answers WHERE until <= ?", (now,))
    connection.execute(
        "DELETE FROM answers WHERE project = ? AND kind = ? AND subject NOT IN "
        "(SELECT subject FROM answers WHERE project = ? AND kind = ? ORDER BY at DESC LIMIT ?)",
        (project, kind, project, kind, MAX_ALLOWED),
    )


def forget(connection: "sqlite3.Connection", project: str, kind: str, subject: str = "") -> int:
    """Delete an answer, or all of this kind if no subject is given; returns how many."""
    query = "DELETE FROM answers WHERE project = ? AND kind = ? AND (? = '' OR subject = ?)"
    return connection.execute(query, (project, kind, subject, subject)).rowcount
