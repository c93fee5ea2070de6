"""What a doctor finds: one line each, and what to do about it."""

from typing import Literal

import msgspec

Result = Literal["ok", "note", "problem"]


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was looked at."""

    about: str
    """An agent's name, or headway."""
    result: Result
    """A note is worth knowing; only a problem keeps Headway from working."""
    text: str
    fix: str = ""
