"""The day and the week of a time, in UTC."""

from datetime import UTC, date, datetime

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
