"""Durations as people write them: 90, 45s, 30m, 2h, 1h30m."""

import re
from math import inf

_UNITS = {"d": 86_400.0, "h": 3_600.0, "m": 60.0, "s": 1.0, "": 1.0}
_PART = re.compile(r"(\d+(?:\.\d+)?)([dhms]?)")


def seconds_in(text: str) -> float:
    """The seconds a duration stands for; a bare number is seconds. Raises ValueError that says what is expected."""
    tidy = text.strip().lower().replace(" ", "")
    parts = _PART.findall(tidy)
    if not parts or "".join(number + unit for number, unit in parts) != tidy:
        raise ValueError(f"{text!r} is not a duration; expected something like 90s, 30m, 2h or 1h30m")
    total = sum(float(number) * _UNITS[unit] for number, unit in parts)
    if not 0 < total < inf:
        what = "for ever" if total else "no time at all"
        raise ValueError(f"{text[:40]!r} is {what}; expected something like 90s, 30m, 2h or 1h30m")
    return total
