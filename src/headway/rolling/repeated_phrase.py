"""A text that has begun to repeat itself and does not stop.

Only prose counts: code in fences, tables, lists, headings and dividers repeat themselves honestly and are left out.
"""

import re

from headway.rolling.cycle import repeating_tail, repetitions_of_tail
from headway.rolling.regex import regex

LOOKED_AT = 6_000
"""Characters at the end of a text that are looked at."""

_END = 200
"""Characters in which the last two sentences mostly are."""
_FENCE = regex(r"```.*?(?:```|\Z)", re.DOTALL)
_NOT_PROSE = regex(r"^\s*(?:[|>#*+•]|-(?!\w)|\d+[.)]|[-=_*~]{3,}|\s{4})")
_UNIT = regex(r"[^.!?\n]+[.!?\n]*")


def repeated_phrase(text: str, repetitions: int, min_length: int) -> tuple[str, int] | None:
    """The phrase a text keeps repeating at its end, and how often; None if it does not.

    The repeated part as a whole must be at least `min_length` characters long.
    """
    looked_at = text[-LOOKED_AT:]
    if "```" in looked_at:
        looked_at = _FENCE.sub("", looked_at)
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
    """A quick look that lets most texts go: the last sentence or word but one must have come often enough.

    The last one may have been cut off, and the one before it is part of every phrase that a text ends in.
    """
    line = text.rfind("\n", 0, max(0, len(text) - _END)) + 1
    end = _prose(text[line:].splitlines()).lower()
    sentences, words = _UNIT.findall(end), end.rsplit(None, 2)
    sentence = sentences[-2].strip() if len(sentences) > 1 < len(words) else ""
    if not sentence or "\n" in sentence:
        return True  # too short to tell
    text = text.lower()
    return text.count(sentence) >= repetitions or text.count(words[-2]) >= 2 * repetitions


def _is_monotonous(text: str, share: float) -> bool:
    """Few different words: cheap to see, and without it nothing can repeat."""
    words = text.split()
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
