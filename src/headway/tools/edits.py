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
_WHOLE = ("content", "file_text", "contents", "text")
_NAMES = frozenset((*_WHOLE, *(old for old, _ in _PAIRS)))


def replacement(args: Mapping[str, Any]) -> tuple[str | None, str] | None:
    """The text that an edit takes out and the one it puts there; None for the first when the whole file is written.

    None altogether if the arguments do not tell.
    """
    if _NAMES.isdisjoint(args):  # most calls are no edits
        return None
    for old, new in _PAIRS:
        before, after = args.get(old), args.get(new)
        if isinstance(before, str) and isinstance(after, str):
            return before, after
    for name in _WHOLE:
        if isinstance(args.get(name), str):
            return None, args[name]
    return None
