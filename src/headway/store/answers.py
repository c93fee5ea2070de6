"""What people have answered in a project: calls that may repeat, and detectors that are muted.

These functions take an open connection and change nothing else; the caller commits. The orders that commands, the
service and the dashboard give are in `headway/hosts/hook/orders.py`: `allow`, `mute`, `unmute`, `stop`, `leave_alone`.
"""

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

ALLOW, MUTE = "allow", "mute"
MOST_ALLOWED = 100
"""Calls that a project remembers as allowed; the oldest are forgotten first."""


class Answer:
    """One answer of a person."""

    def __init__(self, project: str, kind: str, subject: str, about: str, at: float, until: float | None) -> None:
        self.project, self.kind, self.subject, self.about, self.at, self.until = (
            project,
            kind,
            subject,
            about,
            at,
            until,
        )
        """`until` is None for an answer for good."""


def project_of(folder: str) -> str:
    """The project that a folder belongs to: the nearest folder with `.git`, or else the folder itself."""
    here = place = os.path.realpath(folder or ".")
    while not os.path.exists(os.path.join(place, ".git")):
        above = os.path.dirname(place)
        if above == place:
            return here
        place = above
    return place


def answers_in(connection: "sqlite3.Connection", project: str) -> list[Answer]:
    """The answers that are in force in a project, the oldest first."""
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
    """Remember answers, as pairs of a subject and the same for a person; for good, or for some seconds."""
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
        (project, kind, project, kind, MOST_ALLOWED),
    )


def forget(connection: "sqlite3.Connection", project: str, kind: str, subject: str = "") -> int:
    """Take back an answer, or without a subject all of this kind; how many there were."""
    query = "DELETE FROM answers WHERE project = ? AND kind = ? AND (? = '' OR subject = ?)"
    return connection.execute(query, (project, kind, subject, subject)).rowcount
