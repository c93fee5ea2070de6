"""Lists and maps that forget their oldest entry when they are full.

They stay plain lists and dicts, so that everything that holds them can be saved as it is.
"""

from typing import TypeVar

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
