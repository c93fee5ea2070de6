"""A result of the doctor: one line and the fix."""

from typing import Literal

import msgspec

Result = Literal["ok", "note", "problem"]


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was checked."""

    about: str
    """An agent's name, or headway."""
    result: Result
    """A note is information; only a problem keeps Headway from working."""
    text: str
    fix: str = ""
