"""What forgets its oldest entry when it is full: lists, maps, and the lines that were seen.

Lists and maps stay plain, so that everything that holds them can be saved as it is.

`Novelty` measures how much of a text has not been seen before. It remembers lines by a short checksum. In longer texts
the numbers and times at the beginning of a line do not count, so that the same lines under other line numbers are not
taken for new; in a short answer, and where a line has nothing else, the numbers may be the news.
"""

from functools import lru_cache
from itertools import islice
from typing import TypeVar
from zlib import crc32

import msgspec

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


def push(items: list[T], item: T, limit: int) -> None:
    """Append, and drop from the front what no longer fits."""
    items.append(item)
    if len(items) > limit:
        del items[: len(items) - limit]


def put(mapping: dict[K, V], key: K, value: V, limit: int) -> None:
    """Set as the newest entry, and drop the oldest when there are too many."""
    mapping.pop(key, None)
    mapping[key] = value
    while len(mapping) > limit:
        del mapping[next(iter(mapping))]


def count(counts: dict[K, int], key: K, limit: int) -> int:
    """Count one more of `key`, and return how many there are now."""
    total = counts.get(key, 0) + 1
    put(counts, key, total, limit)
    return total


SHORT = 3
"""Lines up to which every character counts."""
LOOKED_AT = 120
"""Lines of one text that are looked at, from its head and its tail."""

_NUMBERING = b"0123456789:-.,TZ[]()| \t"
"""What line numbers and times at the beginning of a line are made of."""


class Novelty(msgspec.Struct):
    """The lines of all texts so far, the latest `limit` of them."""

    limit: int = 4_096
    seen: dict[int, None] = {}

    def share(self, text: str) -> float:
        """Add a text; return which share of its different lines is new (0 for an empty one)."""
        marks = _marks(text)
        seen = self.seen
        before = len(seen)
        seen.update(marks)
        new = len(seen) - before
        if len(seen) > self.limit:
            for oldest in list(islice(seen, len(seen) - self.limit)):  # at once: finding the first is slow
                del seen[oldest]
        return new / len(marks) if new else 0.0


@lru_cache(maxsize=64)
def _marks(text: str) -> dict[int, None]:
    """The checksums of the different lines of a text, in its order."""
    lines = text.encode("utf-8", "replace").splitlines()
    if len(lines) <= SHORT:
        return dict.fromkeys([crc32(line) for line in lines if line.strip()])
    if len(lines) > LOOKED_AT:
        lines = lines[: LOOKED_AT // 2] + lines[-LOOKED_AT // 2 :]
    counting = [line.lstrip(_NUMBERING) or line.strip() for line in lines]
    return dict.fromkeys(map(crc32, filter(None, counting)))  # no loop in Python: outputs have many lines
