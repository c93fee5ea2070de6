"""What stands between two marks in a text, found in one pass.

A pattern such as `<a>(.*?)</a>` looks for the end again from every beginning: a text of many beginnings and no end
takes hours.
"""

import re
from collections.abc import Iterator


class Marks:
    """A beginning and an end, each a pattern."""

    def __init__(self, opening: str, closing: str) -> None:
        self._opening, self._closing = re.compile(opening), re.compile(closing)

    def inside(self, text: str) -> list[str]:
        """What stands between each beginning and the next end."""
        return [text[start:end] for _, start, end, _ in self._found(text)]

    def outside(self, text: str) -> str:
        """The text without what is marked, the marks, and the white space around them."""
        pieces: list[str] = []
        place = 0
        for before, _, _, after in self._found(text):
            pieces.append(text[place:before].rstrip() if not pieces else text[place:before].strip())
            place = after
        return "".join([*pieces, text[place:].lstrip()]) if pieces else text

    def _found(self, text: str) -> Iterator[tuple[int, int, int, int]]:
        place = 0
        while (first := self._opening.search(text, place)) and (last := self._closing.search(text, first.end())):
            yield first.start(), first.end(), last.start(), last.end()
            place = last.end()
