"""What a person is to be notified about: the hook records it, the service sends it.

Recording is one statement inside the transaction of the hook. Nothing is sent from here, and nothing waits for it. A
thing is recorded once, however often it is seen, and claimed before it is sent, so that two senders do not send it
twice.
"""

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import Any

STOP, ESCALATE, WOULD_STOP = "stop", "escalate", "would_stop"
NEEDS_YOU, BUDGET_80, BUDGET_100 = "needs_you", "budget_80", "budget_100"
STALE = 12 * 3_600.0
"""Seconds after which something that was not sent is no longer news."""
MOST_TRIES = 3
"""How often sending is tried."""
_BUDGETS = ("spend", "deadline")


class Notice:
    """One thing that is due, with what a person knows its session by."""

    def __init__(self, *values: "Any") -> None:
        self.id, self.kind, self.at, self.message, self.host, self.session, self.cwd, self.prompt = values


def record(connection: "sqlite3.Connection", session_id: int | None, kind: str, subject: str, message: str) -> None:
    """Record that something is due, unless the same was recorded before."""
    connection.execute(
        "INSERT OR IGNORE INTO notices (session_id, kind, subject, at, message) VALUES (?, ?, ?, ?, ?)",
        (session_id, kind, subject, time.time(), message),
    )


def record_limit(connection: "sqlite3.Connection", session_id: int | None, finding: "Any") -> None:
    """Record how far a limit of the user's is used up, if a finding is about one."""
    unit, _, share = finding.identity.partition(" ")
    if finding.detector in _BUDGETS:
        kind = BUDGET_100 if share == "end" else BUDGET_80
        record(connection, session_id, kind, unit, finding.message)
    elif finding.detector == "tool_budget_exceeded" and not finding.advisory:
        record(connection, session_id, BUDGET_100, "calls", finding.message)


def claim(connection: "sqlite3.Connection", kinds: "tuple[str, ...]", now: float) -> list[Notice]:
    """Everything that is due, oldest first; it counts as sent from now on, unless it is given back."""
    if not _due(connection, kinds, now):
        return []  # mostly nothing is, and hooks are not kept waiting for it
    connection.execute("BEGIN IMMEDIATE")
    try:
        due = _due(connection, kinds, now)
        claimed = [(now, notice.id) for notice in due]
        connection.executemany("UPDATE notices SET sent_at = ?, tries = tries + 1 WHERE id = ?", claimed)
    finally:
        connection.execute("COMMIT")
    return due


def _due(connection: "sqlite3.Connection", kinds: "tuple[str, ...]", now: float) -> list[Notice]:
    query = (
        "SELECT notices.id, kind, at, notices.message, host, session, cwd, prompt FROM notices "
        "JOIN sessions ON sessions.id = session_id WHERE sent_at IS NULL AND tries < ? AND at > ? ORDER BY notices.id"
    )
    return [Notice(*row) for row in connection.execute(query, (MOST_TRIES, now - STALE)) if row[1] in kinds]


def give_back(connection: "sqlite3.Connection", notice: Notice) -> None:
    """Sending failed: it is due again, as long as it was not tried too often."""
    connection.execute("UPDATE notices SET sent_at = NULL WHERE id = ?", (notice.id,))
