"""How alike two sequences or two texts are, from 0 (nothing shared) to 1 (equal)."""

from collections.abc import Callable, Sequence
from functools import cache


def sequence_similarity(one: Sequence[str], other: Sequence[str], size: int = 2) -> float:
    """Jaccard similarity of the n-grams of two sequences of names.

    The sequences are read as rings, so that a cycle is compared as a cycle and a single name still
    has a neighbour.
    """
    ours, theirs = _ring_grams(one, size), _ring_grams(other, size)
    either = ours | theirs
    return len(ours & theirs) / len(either) if either else 1.0


def text_similarity(one: str, other: str) -> float:
    """Normalised Indel similarity of two short texts."""
    if one == other:
        return 1.0
    return _indel()(one, other)


@cache
def _indel() -> Callable[[str, str], float]:
    from rapidfuzz.distance import Indel  # only a suspicion pays for loading it

    return Indel.normalized_similarity


def _ring_grams(names: Sequence[str], size: int) -> set[tuple[str, ...]]:
    if not names:
        return set()
    ring = [*names, *(names[i % len(names)] for i in range(size - 1))]
    return {tuple(ring[i : i + size]) for i in range(len(names))}
