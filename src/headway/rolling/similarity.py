"""How alike two texts are, from 0 (nothing shared) to 1 (equal)."""

from collections.abc import Callable
from functools import cache


def text_similarity(one: str, other: str) -> float:
    """Normalised Indel similarity of two short texts."""
    if one == other:
        return 1.0
    return _indel()(one, other)


@cache
def _indel() -> Callable[[str, str], float]:
    from rapidfuzz.distance import Indel  # slow to import, and rarely needed

    return Indel.normalized_similarity
