"""Times as recordings write them, in seconds."""

from datetime import UTC, datetime


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
