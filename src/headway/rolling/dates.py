"""Times as recordings write them, their day and week in UTC, and durations as people write them: 45s, 1h30m, 7d."""

import re
from datetime import UTC, date, datetime
from math import inf

LONG_AGO = 1e8
"""Times below this (1973) are counted from something else than the epoch, and say nothing about the date."""


def day_of(seconds: float | None) -> date | None:
    """The day of a time; None if it says nothing about the date, or no calendar has it."""
    if seconds is None or not seconds > LONG_AGO:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).date()
    except (ValueError, OverflowError, OSError):
        return None


def week_of(seconds: float | None) -> str:
    """The week of a time by ISO 8601: 2026-W46; empty if its day is not known."""
    day = day_of(seconds)
    return "{}-W{:02d}".format(*day.isocalendar()[:2]) if day else ""


_UNITS = {"w": 604_800.0, "d": 86_400.0, "h": 3_600.0, "m": 60.0, "s": 1.0, "": 1.0}
_PART = re.compile(r"(\d+(?:\.\d+)?)([wdhms]?)")
EXPECTED = "expected something like 90s, 30m, 1h30m, 7d or 2w"


def seconds_in(text: str) -> float:
    """The seconds a duration stands for; a bare number is seconds. Raises ValueError that says what is expected."""
    compact = text.strip().lower().replace(" ", "")
    parts = _PART.findall(compact)
    if not parts or "".join(number + unit for number, unit in parts) != compact:
        raise ValueError(f"{text!r:.60} is not a duration; {EXPECTED}")
    total = sum(float(number) * _UNITS[unit] for number, unit in parts)
    if not 0 < total < inf:
        raise ValueError(f"{text!r:.60} is {'endless' if total else 'zero'}; {EXPECTED}")
    return total


def seconds(value: object) -> float | None:
    """Seconds since the epoch of an ISO time or of a number of seconds, milli- or nanoseconds; None where unknown."""
    if isinstance(value, str) and value:
        try:
            when = datetime.fromisoformat(value)
            return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            return None
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 1e20:
        return value / (1e9 if value > 1e17 else 1e6 if value > 1e14 else 1e3 if value > 1e11 else 1.0)
    return None
