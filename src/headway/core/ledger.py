"""What has been found so far, by identity.

Detectors only say what they see now. The ledger knows what is new, what goes on, and what the agent has
already been told, so that no detector has to.
"""

from collections.abc import Iterable

import msgspec

from headway.core.finding import Finding


class Entry(msgspec.Struct):
    """One identity: when it was seen, how often, and whether the agent was told."""

    finding: Finding
    first_step: int
    last_step: int
    first_at: float | None = None
    occurrences: int = 1
    nudged_at: int | None = None
    """Step of the nudge, or None while the agent has not been told in this turn."""
    closed: bool = False
    """A new user turn closes it; being seen again opens it again."""


class Ledger(msgspec.Struct):
    """Entries by key, oldest first, never more than `limit`."""

    entries: dict[str, Entry] = {}
    limit: int = 256
    active_for: int = 10
    """Steps after which an entry that is no longer seen is no longer active."""

    def record(self, finding: Finding, step: int, at: float | None) -> bool:
        """Note that a finding is seen now; True when it is news (new, back again, or worse than before)."""
        entry = self.entries.pop(finding.key, None)
        news = entry is None or not self.is_active(entry, step) or finding.severity.rank > entry.finding.severity.rank
        if entry is None:
            entry = Entry(finding=finding, first_step=step, last_step=step, first_at=at)
        else:
            entry.finding, entry.last_step, entry.closed = finding, step, False
            entry.occurrences += 1
        self.entries[finding.key] = entry
        if len(self.entries) > self.limit:
            del self.entries[next(iter(self.entries))]
        return news

    def is_active(self, entry: Entry, step: int) -> bool:
        """Seen within the last few steps of this turn."""
        return not entry.closed and step - entry.last_step < self.active_for

    def active(self, step: int) -> list[Entry]:
        """Entries that are active at a step, oldest first."""
        found: list[Entry] = []
        for entry in reversed(self.entries.values()):
            if step - entry.last_step >= self.active_for:
                break  # entries stand in the order they were last seen
            if not entry.closed:
                found.append(entry)
        return found[::-1]

    def untold(self, entries: Iterable[Entry]) -> list[Entry]:
        """Those of some entries that the agent has not been told of, under the name of any detector.

        Two detectors that see the same loop, file or error give it the same identity, and once is enough.
        """
        told = {e.finding.identity for e in self.entries.values() if e.nudged_at is not None and e.finding.identity}
        return [entry for entry in entries if entry.nudged_at is None and entry.finding.identity not in told]

    def nudged(self, finding: Finding, step: int) -> None:
        """Note that the agent was told of a finding."""
        self.entries[finding.key].nudged_at = step

    def close_turn(self) -> None:
        """A new user turn: everything may be said anew."""
        for entry in self.entries.values():
            entry.closed, entry.nudged_at = True, None
