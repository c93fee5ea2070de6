"""Texts of any size and any bytes, made safe to keep and searched in one pass; counts and names in words."""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:  # a hook imports this at every event
    from collections.abc import Iterable, Iterator, Sequence
    from typing import AnyStr

_ESCAPE = rb"\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|.)"
"""An escape of JSON, or two of them that are one character; the group is half of such a pair, alone."""


def whole_characters(json: bytes) -> bytes:
    """JSON with a replacement character for every escape that is only half of one."""
    if b"\\ud" not in json and b"\\uD" not in json:
        return json
    return re.sub(_ESCAPE, lambda found: rb"\ufffd" if found[1] else found[0], json)


def has_any(text: "AnyStr", words: "Iterable[AnyStr]") -> bool:
    """Whether one of some words is in a text: much faster than a pattern, and than `any`."""
    for word in words:  # noqa: SIM110
        if word in text:
            return True
    return False


def clean(text: str) -> str:
    """Replace what cannot be written as UTF-8 (lone surrogates from undecodable bytes)."""
    if text.isascii():
        return text
    try:
        text.encode("utf-16")  # refuses the same, and is quicker for most texts
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


def clip(text: str, limit: int) -> str:
    """Keep the head and the tail of a long text, and say how much is missing in between."""
    if len(text) <= limit:
        return text
    head, tail = limit * 3 // 5, limit * 2 // 5
    return f"{text[:head]}\n… {len(text) - head - tail} characters left out …\n{text[-tail:]}"


def shortened(text: str, longest: int) -> str:
    """The beginning of a text, with `…` in place of what is missing."""
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"


def printable(text: str, kept: str = "\n") -> str:
    """The text, with a space for each character that a terminal or browser would obey or hide, except those `kept`."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in kept else " " for char in text)


def counted(count: int, one: str) -> str:
    """`1 run`, `1,204 runs`."""
    return f"{count:,} {one}{'' if count == 1 else 's'}"


def listed(names: "Sequence[str]", most: int = 3) -> str:
    """A few names, and how many more there are: `a, b, c and 2 more`."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


class Between:
    """Finds the text between an opening and a closing pattern in one pass.

    A pattern such as `<a>(.*?)</a>` searches for the end again from every beginning: a text with many beginnings and no
    end takes hours.
    """

    def __init__(self, opening: str, closing: str) -> None:
        self._opening, self._closing = re.compile(opening), re.compile(closing)

    def inside(self, text: str) -> list[str]:
        """The text between each beginning and the next end."""
        return [text[start:end] for _, start, end, _ in self._found(text)]

    def outside(self, text: str) -> str:
        """The text without the marked parts, their marks, and the white space around them."""
        pieces: list[str] = []
        place = 0
        for before, _, _, after in self._found(text):
            pieces.append(text[place:before].rstrip() if not pieces else text[place:before].strip())
            place = after
        return "".join([*pieces, text[place:].lstrip()]) if pieces else text

    def _found(self, text: str) -> "Iterator[tuple[int, int, int, int]]":
        place = 0
        while (first := self._opening.search(text, place)) and (last := self._closing.search(text, first.end())):
            yield first.start(), first.end(), last.start(), last.end()
            place = last.end()
