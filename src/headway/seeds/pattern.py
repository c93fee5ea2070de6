"""Findings under the names of seed 002."""

from datetime import UTC, datetime, timedelta
from typing import Any

from headway.core.ledger import Entry


class Pattern:
    """An active pattern: the fields of seed 002, and the detector's own evidence as attributes."""

    def __init__(self, entry: Entry) -> None:
        finding = entry.finding
        self.pattern_type = finding.detector
        self.confidence = finding.confidence
        self.evidence: tuple[str, ...] = (finding.message,)
        self.first_seen = _moment(entry.first_at)
        self.occurrences = entry.occurrences
        self._details = dict(finding.evidence)
        if "stall_duration" in self._details:  # evidence is plain data, and the seed has a timedelta here
            self._details["stall_duration"] = _time(finding.evidence["stall_duration"])

    def __getattr__(self, name: str) -> Any:
        details = self.__dict__.get("_details", {})
        if name in details:
            return details[name]
        raise AttributeError(f"this pattern has no {name!r}; it has: {', '.join(details)}")

    def __repr__(self) -> str:
        return f"Pattern({self.pattern_type!r}, occurrences={self.occurrences}, {self._details})"


def _time(seconds: float | None) -> timedelta | None:
    return None if seconds is None else timedelta(seconds=min(seconds, 1e9))


def _moment(at: float | None) -> datetime | None:
    try:
        return None if at is None else datetime.fromtimestamp(at, UTC)
    except (ValueError, OverflowError, OSError):  # seconds since something other than the epoch
        return None
