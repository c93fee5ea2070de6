"""Stores what a person is to be notified about. The hook records it, and the service sends it.

Recording is one statement inside the hook's transaction. Nothing is sent from here, and nothing waits for it. The same
notice is recorded once, and claimed before it is sent, so that two senders do not send it twice.
"""

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import Any

STOP, ESCALATE, WOULD_STOP = "stop", "escalate", "would_stop"
NEEDS_YOU, BUDGET_80, BUDGET_100 = "needs_you", "budget_80", "budget_100"
STALE_SECONDS = 12 * 3_600.0
MAX_ATTEMPTS = 3
_BUDGETS = ("spend", "deadline")


class Notice:
    """One notice that is due, with what identifies its session for a person."""

    def __init__(self, *values: "Any") -> None:
        self.id, self.kind, self.at, self.message, self.host, self.session, self.cwd, self.prompt = values


def record(connection: "sqlite3.Connection", session_id: int | None, kind: str, subject: str, message: str) -> None:
    """Record a notice, unless the same one was recorded before."""
    connection.execute(
        "INSERT OR IGNORE INTO notices (session_id, kind, subject, at, message) VALUES (?, ?, ?, ?, ?)",
        (session_id, kind, subject, time.time(), message),
    )


def record_limit(connection: "sqlite3.Connection", session_id: int | None, finding: "Any") -> None:
    """Record how far one of the user's limits is used up, if a finding is about one."""
    unit, _, share = finding.identity.partition(" ")
    if finding.detector in _BUDGETS:
        kind = BUDGET_100 if share == "end" else BUDGET_80
        record(connection, session_id, kind, unit, finding.message)
    elif (finding.detector == "tool_budget_exceeded" and not finding.advisory) or (
        finding.detector == "max_iterations" and finding.confidence >= 1.0
    ):
        record(connection, session_id, BUDGET_100, "calls", finding.message)


def claim(connection: "sqlite3.Connection", kinds: "tuple[str, ...]", now: float) -> list[Notice]:
    """All notices that are due, oldest first. They count as sent, unless they are given back."""
    if not _due(connection, kinds, now):
        return []  # the usual case, without a write that would block hooks
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
    return [Notice(*row) for row in connection.execute(query, (MAX_ATTEMPTS, now - STALE_SECONDS)) if row[1] in kinds]


def give_back(connection: "sqlite3.Connection", notice: Notice) -> None:
    """Mark a notice as due again after sending failed, unless it was tried too often."""
    connection.execute("UPDATE notices SET sent_at = NULL WHERE id = ?", (notice.id,))
