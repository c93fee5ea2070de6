"""Durations as people write them: 90, 45s, 30m, 2h, 1h30m, 7d, 1w."""

import re
from math import inf

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
