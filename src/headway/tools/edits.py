"""What an edit takes out and puts in, whatever its tool calls the two."""

from collections.abc import Mapping
from typing import Any

_PAIRS = (
    ("old_string", "new_string"),
    ("old_str", "new_str"),
    ("oldText", "newText"),
    ("oldString", "newString"),
    ("old_text", "new_text"),
    ("search", "replace"),
)


def replacement(args: Mapping[str, Any]) -> tuple[str, str] | None:
    """The text that an edit replaces and the text that it puts there, or None if the arguments do not tell."""
    for old, new in _PAIRS:
        before, after = args.get(old), args.get(new)
        if isinstance(before, str) and isinstance(after, str):
            return before, after
    return None
