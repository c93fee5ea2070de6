"""Find what a sequence or a text repeats at its end, and compare two such blocks.

In a text only prose counts: code in fences, tables, lists, headings and dividers repeat legitimately and are left out.
"""

from collections.abc import Hashable, Sequence

from headway.rolling.lazy import regex


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
    """How many times in a row the last `length` items occur at the end."""
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


def sequence_similarity(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    """How alike two sequences of names are, from 0 to 1: the Jaccard similarity of their pairs of neighbours.

    The sequences are read as rings, so that a cycle is compared as a cycle and a single name still
    has a neighbour.
    """
    ours, theirs = _neighbours(one), _neighbours(other)
    both = len(ours & theirs)
    return both / (len(ours) + len(theirs) - both) if ours or theirs else 1.0


def _neighbours(ring: tuple[str, ...]) -> set[tuple[str, str]]:
    return set(zip(ring, ring[1:] + ring[:1], strict=True))


LOOKED_AT = 6_000
"""Characters at the end of a text that are looked at."""

_END = 600
"""Characters at the end that usually include the last two sentences."""
_MARKS = ".!?。！？"
"""What ends a sentence. A space need not follow; in Chinese and Japanese none does."""
_FENCE = "```"
_NOT_PROSE = regex(r"^\s*(?:[|>#*+•]|-(?!\w)|\d+[.)]|[-=_*~]{3,}|\s{4})")
_UNIT = regex(rf"[^{_MARKS}\n]+[{_MARKS}\n]*")


def repeated_phrase(text: str, repetitions: int, min_length: int) -> tuple[str, int] | None:
    """The phrase a text keeps repeating at its end, and how often; None if it does not.

    The repeated part as a whole must be at least `min_length` characters long.
    """
    looked_at = "".join(text[-LOOKED_AT:].split(_FENCE)[::2])
    if not _may_repeat(looked_at, repetitions):
        return None
    if not (_is_monotonous(text[-2_000:], 0.35) or _is_monotonous(text[-300:], 0.5)):
        return None
    prose = _prose(looked_at.splitlines())
    return _repeated(_sentences(prose), repetitions, min_length, 12) or _repeated(
        prose.lower().split(), 2 * repetitions, min_length, 30
    )


def _prose(lines: list[str]) -> str:
    return "\n".join([line for line in lines if not _NOT_PROSE.match(line)])


def _sentences(prose: str) -> list[str]:
    return [unit.strip().lower() for unit in _UNIT.findall(prose) if unit.strip()]


def _may_repeat(text: str, repetitions: int) -> bool:
    """A quick check that rules out most texts: the words at the end of a repeated phrase must occur often enough.

    The last word and the last sentence do not count, because they may have been cut off.
    """
    words = _without_marks(text[-_END:]).rstrip(" \t\r\n")
    ending, before = words.rsplit(None, 5)[1:-1], words.rpartition("\n")[0].rsplit(None, 4)[1:]
    if not ending or not before:
        return True  # too short to tell
    return text.count(max(before, key=len)) >= repetitions or text.count(max(ending, key=len)) >= 2 * repetitions


def _without_marks(text: str) -> str:
    """A text in which each sentence ends with its line. Replacing a few signs is much faster than `translate`."""
    for mark in _MARKS:
        text = text.replace(mark, "\n")
    return text


def _is_monotonous(text: str, share: float) -> bool:
    """Whether a text has few different words: quick to check, and true of every text that repeats itself."""
    words = _without_marks(text).split()
    return len(set(words)) <= share * len(words) + 1


def _repeated(units: list[str], repetitions: int, min_length: int, longest: int) -> tuple[str, int] | None:
    # the last unit may have been cut off in the middle, so the tail is also looked at without it
    for tail in (units, units[:-1]):
        length = repeating_tail(tail, repetitions=repetitions, max_length=longest)
        if length is not None:
            phrase, times = " ".join(tail[-length:]), repetitions_of_tail(tail, length)
            if len(phrase) * times >= min_length:
                return phrase, times
    return None
