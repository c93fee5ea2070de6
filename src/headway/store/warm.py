"""The database for a long-lived process: always open, with recent sessions in memory.

A session in memory is used only if its revision in the database is unchanged. Hook processes may write at any moment,
so this is checked for each event, inside the transaction that stores the event. Several events share one transaction
(`with store.transaction()`), during which no other process can write.
"""

import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from headway.store.errors import check_version
from headway.store.sessions import Row, SessionStore

KEPT_IN_MEMORY = 256
"""Number of sessions that stay in memory; others are read again from the database."""
MOMENT = 0.5
"""Seconds for which the settings of a folder are cached."""

Key = tuple[str, ...]


class WarmStore(SessionStore):
    """The database of live sessions, open for many events."""

    def __init__(self, path: str | None = None, patience: float | None = None) -> None:
        super().__init__(path, patience)
        self.rows: OrderedDict[Key, Row] = OrderedDict()
        self._folders: dict[str, tuple[str, str]] = {}
        self._looked_at = 0.0
        self.prepare()

    def is_in_place(self) -> bool:
        """Whether this is still the file at its path; a damaged one is moved aside."""
        try:
            return Path(self.path).stat().st_ino == self.file
        except OSError:
            return False

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Store several events at once: all or none of them. No other process can write meanwhile."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            check_version(self.connection)  # a newer Headway may have changed the tables
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            self.rows.clear()  # they may contain what was not written
            super().roll_back()
            raise
        while len(self.rows) > KEPT_IN_MEMORY:
            self.rows.popitem(last=False)

    def look_at(self, folder: str) -> tuple[str, str]:
        """As in a hook process, but cached for a moment."""
        now = time.monotonic()
        if now - self._looked_at > MOMENT:
            self._folders.clear()
            self._looked_at = now
        if folder not in self._folders:
            self._folders[folder] = super().look_at(folder)
        return self._folders[folder]

    def begin(self) -> None:
        """Do nothing: the shared transaction has begun."""

    def commit(self) -> None:
        """Do nothing: the shared transaction ends later."""

    def roll_back(self) -> None:
        """Do nothing: nothing was written for this event."""

    def is_current(self, row: Row, key: Sequence[str]) -> bool:
        """Always True, because no other process can write during the transaction."""
        return True

    def find(self, key: Sequence[str], *, light: bool = False) -> Row:
        """The row of a (host, session, agent), from memory if no other process has written it."""
        known = self.rows.get(tuple(key))
        if known is not None and known.revision == self._revision(key):
            self.rows.move_to_end(tuple(key))
            return known
        row = super().find(key)
        self.rows[tuple(key)] = row
        return row

    def _revision(self, key: Sequence[str]) -> int | None:
        query = "SELECT revision FROM sessions WHERE host = ? AND session = ? AND agent = ?"
        found = self.connection.execute(query, tuple(key)).fetchone()
        return None if found is None else int(found[0])
