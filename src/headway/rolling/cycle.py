"""The shortest block that a sequence keeps repeating at its end, and how alike two such blocks are."""

from collections.abc import Hashable, Sequence


def repeating_tail(
    keys: Sequence[Hashable], *, repetitions: int, min_length: int = 1, max_length: int = 16
) -> int | None:
    """Length of the shortest block the sequence ends with, `repetitions` times over.

    The block is primitive: A B A B is the block A B twice, never one block of four, and A A A A
    has no block of length two.

    >>> repeating_tail("xABABAB", repetitions=3, min_length=2)
    2
    >>> repeating_tail("AAAAAA", repetitions=3, min_length=2) is None
    True
    """
    size = len(keys)
    for length in range(min_length, min(max_length, size // repetitions) + 1):
        compared = length * (repetitions - 1)
        repeats = not compared or (keys[-1] == keys[-1 - length] and _repeats(keys, length, compared))
        if repeats and _is_primitive(keys[size - length :]):
            return length
    return None


def repetitions_of_tail(keys: Sequence[Hashable], length: int) -> int:
    """How many whole times the last `length` items stand at the end, one after the other."""
    same = 0
    for back in range(1, len(keys) - length + 1):
        if keys[-back] != keys[-back - length]:
            break
        same += 1
    return 1 + same // length


def _repeats(keys: Sequence[Hashable], length: int, compared: int) -> bool:
    end, start = len(keys), len(keys) - compared
    return keys[start:] == keys[start - length : end - length]


def _is_primitive(block: Sequence[Hashable]) -> bool:
    size = len(block)
    for part in range(1, size // 2 + 1):  # noqa: SIM110 (a generator takes twice as long)
        if size % part == 0 and block[part:] == block[:-part]:
            return False
    return True


def sequence_similarity(one: Sequence[str], other: Sequence[str], size: int = 2) -> float:
    """How alike two sequences of names are, from 0 to 1: the Jaccard similarity of their n-grams.

    The sequences are read as rings, so that a cycle is compared as a cycle and a single name still
    has a neighbour.
    """
    ours, theirs = _ring_grams(one, size), _ring_grams(other, size)
    either = ours | theirs
    return len(ours & theirs) / len(either) if either else 1.0


def _ring_grams(names: Sequence[str], size: int) -> set[tuple[str, ...]]:
    if not names:
        return set()
    ring = [*names, *(names[i % len(names)] for i in range(size - 1))]
    return {tuple(ring[i : i + size]) for i in range(len(names))}
