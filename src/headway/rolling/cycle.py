"""Find what a sequence or a text repeats at its end, and compare two such blocks.

Prose counts first. Tables, lists, headings and dividers repeat legitimately, so only very many equal lines of them are
a repetition, and so is a long chant without spaces. Code in fences is left out.
"""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

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
COUNTED = 1_000_000
"""Characters at the end of a text in which repetitions are counted."""
LONGEST_LIST = 60_000
"""Characters at the end of a text in which equal lines of a list or a table are looked for."""
EQUAL_LINES = 100
"""Repetitions of lines of a list or a table: a form with thirty empty rows, or sixty equal points, may be meant."""
LONGEST_BLOCK = 12
"""Lines or sentences of a block that repeats."""
CHANT = 1_000
"""Length of a chant without spaces, in characters: longer than any divider."""
LONGEST_CHANTED = 50
"""Characters of what is chanted."""

_END = 600
"""Characters at the end that usually include the last two sentences."""
_MARKS = ".!?。！？"
"""What ends a sentence. A space need not follow; in Chinese and Japanese none does."""
_FENCE = "```"
_NOT_PROSE = regex(r"^\s*(?:[|>#*+•]|-(?!\w)|\d+[.)]|[-=_*~]{3,}|\s{4})")
_SAYS = regex(r"[^\W_]")
"""A line that says something: no divider, and no empty row of a form."""
_UNIT = regex(rf"[^{_MARKS}\n]+[{_MARKS}\n]*")


class Repetition(NamedTuple):
    """What a text repeats at its end."""

    phrase: str
    times: int
    is_cut_off: bool = False
    """It may have begun before the part of the text that was looked at."""


def repeated_phrase(text: str, repetitions: int, min_length: int) -> Repetition | None:
    """What a text keeps repeating at its end, and how often; None if it does not.

    The repeated part as a whole must be at least `min_length` characters long.
    """
    chant = _chanted(text)
    if chant is not None:
        return chant
    looked_at = _outside_fences(text, LOOKED_AT)
    if not _may_repeat(looked_at, repetitions):
        return None
    if not (_is_monotonous(text[-2_000:], 0.35) or _is_monotonous(text[-300:], 0.5)):
        return None
    found, size = _at_the_end(looked_at, repetitions, min_length), LOOKED_AT
    if found is None and len(text) > size:  # a hundred lines of a list may be longer
        size = LONGEST_LIST
        found = _at_the_end(_outside_fences(text, size), repetitions, min_length)
    while found is not None and found.is_cut_off and size < min(len(text), COUNTED):
        size = min(10 * size, COUNTED)
        found = _at_the_end(_outside_fences(text, size), repetitions, min_length) or found._replace(is_cut_off=False)
    return found and found._replace(is_cut_off=found.is_cut_off and size < len(text))


def _at_the_end(text: str, repetitions: int, min_length: int) -> Repetition | None:
    lines = text.splitlines()
    prose = _prose(lines)
    return (
        _repeated(_sentences(prose), repetitions, min_length, LONGEST_BLOCK)
        or _repeated(prose.lower().split(), 2 * repetitions, min_length, 30)
        or _repeated([line.strip() for line in lines if _SAYS.search(line)], EQUAL_LINES, min_length, LONGEST_BLOCK)
    )


def _outside_fences(text: str, size: int) -> str:
    """The end of a text, without the code in fences; the end may begin inside one."""
    start = max(0, len(text) - size)
    is_inside = text.count(_FENCE, 0, start) % 2
    return "".join(text[start:].split(_FENCE)[is_inside::2])


def _chanted(text: str) -> Repetition | None:
    """A few signs that are repeated without a space until the text ends."""
    tail = text[-CHANT:]
    if len(tail) < CHANT or len(tail.split(None, 1)) != 1 or text.count(_FENCE) % 2:
        return None
    period = next((size for size in range(1, LONGEST_CHANTED + 1) if tail[size:] == tail[:-size]), None)
    if period is None:
        return None
    start = len(text) - period
    for block in (text[-period:] * 100, text[-period:]):
        while text.endswith(block, 0, start):
            start -= len(block)
    while start and text[start - 1] == text[start - 1 + period]:
        start -= 1
    return Repetition(text[start : start + period], (len(text) - start) // period)


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


def _repeated(units: list[str], repetitions: int, min_length: int, longest: int) -> Repetition | None:
    # the last unit may have been cut off in the middle, so the tail is also looked at without it
    for tail in (units, units[:-1]):
        length = repeating_tail(tail, repetitions=repetitions, max_length=longest)
        if length is not None:
            phrase, times = " ".join(tail[-length:]), repetitions_of_tail(tail, length)
            if len(phrase) * times >= min_length:
                return Repetition(phrase, times, is_cut_off=len(tail) - length * times <= length)
    return None
