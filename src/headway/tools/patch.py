"""Which files a patch is about."""

import re

from headway.rolling.regex import regex
from headway.tools.kinds import MOST_PATHS

_PATCH_HEAD = 200_000
"""Characters of a patch that are looked at."""

_FILE_LINE = regex(
    r"^(?:\*\*\* (?:(?:Add|Update|Delete) File|Move to): (?P<named>[^\n]+)"
    r"|\+\+\+ (?:b/)?(?P<new>[^\t\n]+)"
    r"|--- (?:a/)?(?P<old>[^\t\n]+)(?=\n\+\+\+ /dev/null))",
    re.MULTILINE,
)


def files_in_patch(text: str) -> tuple[str, ...]:
    """The files named in a patch, of the `*** Update File:` kind or a unified diff, each once."""
    found: dict[str, None] = {}
    for match in _FILE_LINE.finditer(text, 0, _PATCH_HEAD):
        path = match[match.lastgroup or 0].strip()
        if path and path != "/dev/null":
            found[path] = None
            if len(found) == MOST_PATHS:
                break
    return tuple(found)
