"""Whether a result says that a portion of the work was done, so that the same call again does the next one.

`DELETE 1000` says so, and so does `{"migrated": 500, "more": true}`: what was deleted, moved or taken is not there to
be deleted, moved or taken a second time. What can be done to the same things again ("updated 12 files") is a portion
only if the result says that there is more to do. "0 rows" is none.
"""

import re

from headway.rolling.lazy import regex
from headway.tools.envelope import Output
from headway.tools.kinds import Meaning

_LONGEST = 400
"""Characters of a result that says little more than what was done."""
_ASKING = frozenset(("read", "list", "poll", "plan", "ask", "test", "build"))
"""Kinds of calls that do nothing themselves: what their result speaks of was done by others."""
_SEARCHING = frozenset(("search", "vcs"))
"""Kinds that are asked for by name only: of their results, only what a database says of itself is believed."""

_COUNT = r"[1-9][\d,.]*"
_GONE = (
    r"(?:re)?moved|removed|deleted|migrated|archived|purged|drained|evicted|dequeued|popped|claimed|acked"
    r"|acknowledged|pruned"
)
_DONE = (
    rf"{_GONE}|processed|imported|exported|inserted|updated|indexed|converted|copied|handled|completed"
    r"|synced|sent|written"
)
_THINGS = r"(?: [a-z]+){0,2}?"
_DELETED = regex(rf"\s*DELETE {_COUNT}\s*")
"""What a database says after it has deleted rows."""
_TAKEN = regex(
    rf"\b(?:{_GONE})[\"']?[:=]? {{0,2}}{_COUNT}\b|\b{_COUNT}{_THINGS} (?:were |was |have been )?(?:{_GONE})\b"
    r"|\b(?:claimed|dequeued|popped|took) (?:the |a |an )?(?:next )?(?:task|job|item|message|batch|record|ticket)\b",
    re.IGNORECASE,
)
"""So many things were taken away from where they were."""
_DID = regex(
    rf"\b(?:{_DONE})[\"']?[:=]? {{0,2}}{_COUNT}\b|\b{_COUNT}{_THINGS} (?:were |was |have been )?(?:{_DONE})\b",
    re.IGNORECASE,
)
_MORE = regex(
    r"[\"'](?:has_?)?more[\"']: ?true|\bmore (?:to (?:do|come|process|go)|remain|left)"
    r"|[\"']next_?(?:cursor|token|page)[\"']: ?[\"'\d]",
    re.IGNORECASE,
)
"""The result says that this was not all."""


def did_a_portion(meaning: Meaning, output: Output) -> bool:
    """Whether the result of a call that succeeded says that it did a portion of the work."""
    if not output.body or len(output.body) > _LONGEST or meaning.kind in _ASKING:
        return False
    if meaning.kind == "web" and not meaning.acts:  # a page tells what others have done
        return False
    return output.once(_says_deleted) or (meaning.kind not in _SEARCHING and output.once(_says_done))


def _says_deleted(output: Output) -> bool:
    return _DELETED.fullmatch(output.body) is not None


def _says_done(output: Output) -> bool:
    text = output.body
    if _TAKEN.search(text) is not None:
        return True
    return _DID.search(text) is not None and _MORE.search(text) is not None
