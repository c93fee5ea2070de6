"""How much a search found."""

import re
from collections.abc import Mapping
from typing import Final

from headway.rolling.forgiving import FAULTS, from_json
from headway.rolling.lazy import regex
from headway.tools.envelope import Output
from headway.tools.kinds import Meaning

_LOOKED_AT: Final = 100_000
"""Characters of an output whose lines are counted."""
_LONGEST_JSON = 200_000
_DEEPEST = 3

_THINGS = "match(?:es|ed)?|results?|files?|hits?|occurrences?|entries|items|lines?|symbols?|references?|directories"
_NOTHING_FOUND = regex(
    rf"""\W{{0,3}}(?: (?:there\ (?:are|were)\ )?(?:no|0|zero)\ (?:\w+\ ){{0,3}}?(?:{_THINGS})\b
      | (?:(?:\w+\ ){{0,3}}search\ )?(?:found|returned|yielded)\ (?:0|no)\b
      | nothing\ (?:was\ )?found | not\ found\b | no\ such\b | none\ found )""",
    re.VERBOSE | re.IGNORECASE,
)
_COUNTED = regex(
    r"\W{0,3}(?:found|showing|returned|more than|total(?: of)?:?)?\s*(?:at least |about )?"
    rf"(\d{{1,9}})\s+(?:of \d+ )?(?:\w+\s){{0,2}}?(?:{_THINGS})\b|\W{{0,3}}found\s+(\d{{1,9}})\b",
    re.IGNORECASE,
)
_GREPS = regex(r"(?:cd \S+ && )?(?:\S*/)?(?:[efz]?grep|rg|ag|ack|git grep) [^|;&]*$")
"""Programs whose exit code 1 says that nothing was found, and nothing else."""
_COMPLAINT = regex(r"(?:[\w./-]+/)?(?:find|grep|egrep|rg|ag|fd|ls|which|awk|sed|bash|sh): ")
_COUNT_KEYS = frozenset((
    "numfiles", "nummatches", "numlines", "numresults", "count", "total", "totalcount", "totalmatches", "totalfiles",
    "matchcount", "resultcount", "hitcount", "filecount", "hits", "matches", "found",
))  # fmt: skip
_LIST_KEYS = frozenset(
    ["matches", "files", "filenames", "results", "items", "hits", "entries", "lines", "paths", "documents"]
)
_INSIDE_KEYS = frozenset(["result", "data", "output", "response", "structuredcontent", "tooluseresult", "value"])
"""Names of lists, counts and wrappers in structured results, in lower case and without `_`."""


def count_hits(meaning: Meaning, output: object, exit_code: int | None = None, failed: bool = False) -> int | None:
    """How much a search found, from what it printed; None for other calls and for a search that failed."""
    if meaning.kind != "search" or failed:
        return None
    if not isinstance(output, (str, Output)):
        found = hits_in(output)
        if found is not None:
            return found
    read = Output.of(output, exit_code)
    text = read.body[:_LOOKED_AT]
    if not text.strip() or (read.exit_code == 1 and meaning.command and _GREPS.match(meaning.command)):
        return 0
    found = _stated(text)
    if found is None:
        found = _counted_lines(text)
    return found


def _stated(text: str) -> int | None:
    """The number of hits that an output states, or that its JSON contains."""
    start = text.lstrip()[:300]
    if start[0] in "[{" and len(text) < _LONGEST_JSON:
        try:
            found = hits_in(from_json(text, object))
        except FAULTS:
            found = None
        if found is not None:
            return found
    if _NOTHING_FOUND.match(start):
        return max(map(_count_in, text.split("\n")))  # several searches in one call: another may have found something
    return _count_in(start) if _COUNTED.match(start) else None


def _count_in(line: str) -> int:
    match = _COUNTED.match(line)
    return int(match[1] or match[2]) if match else 0


def _counted_lines(text: str) -> int:
    """Lines that hold something, complaints of the program not counted."""
    lines = [line for line in text.split("\n") if line and not line.isspace()]
    return len(lines) - sum(1 for line in lines if ": " in line and _COMPLAINT.match(line))


def hits_in(value: object) -> int | None:
    """How much a structured search result holds; None when there is nothing to count.

    Several counts may be present, and some of them are 0 in some search modes: the largest one counts.
    """
    return _hits(value, 0)


def _hits(value: object, depth: int) -> int | None:
    if isinstance(value, (list, tuple)):
        return None if _are_content_blocks(value) else len(value)
    if not isinstance(value, Mapping) or depth >= _DEEPEST:
        return None
    counts: list[int] = []
    for key, item in value.items():
        name = key.lower().replace("_", "") if isinstance(key, str) else ""
        if isinstance(item, int) and not isinstance(item, bool) and name in _COUNT_KEYS:
            counts.append(max(0, item))
        elif isinstance(item, (list, tuple)) and name in _LIST_KEYS:
            counts.append(len(item))
        elif name in _INSIDE_KEYS and isinstance(item, (Mapping, list, tuple)):
            inner = _hits(item, depth + 1)
            if inner is not None:
                counts.append(inner)
    content = value.get("content")
    if counts and isinstance(content, str):
        counts.append(_counted_lines(content[:_LOOKED_AT]))
    return max(counts) if counts else None


def _are_content_blocks(items: list[object] | tuple[object, ...]) -> bool:
    """Whether a list is a message's content rather than a list of results."""
    return bool(items) and all(
        isinstance(item, Mapping) and item.get("type") in ("text", "image", "resource", "output_text", "input_text")
        for item in items[:5]
    )
