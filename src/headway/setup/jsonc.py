"""Parses JSON with comments and trailing commas, and records the position of each value.

The positions let an edit leave every other byte unchanged.
"""

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

_TOKEN = re.compile(
    r"""(?P<comment>//[^\r\n]*|/\*.*?\*/)
      | (?P<string>"(?:[^"\\\r\n]|\\.)*")
      | (?P<mark>[{}\[\],:])
      | (?P<word>[^\s{}\[\],:"/]+)
      | (?P<space>\s+)
      | (?P<unknown>.)""",
    re.VERBOSE | re.DOTALL,
)
_CLOSING = {"{": "}", "[": "]"}
_DEEPEST = 200


class NotJsonError(ValueError):
    """A text is not JSON; `line` and `column` count from 1."""

    def __init__(self, text: str, offset: int, expected: str) -> None:
        self.line = text.count("\n", 0, offset) + 1
        self.column = offset - (text.rfind("\n", 0, offset) + 1) + 1
        super().__init__(f"line {self.line}, column {self.column}: expected {expected}")


@dataclass
class Value:
    """One value and its position: `text[start:end]`."""

    start: int
    end: int
    data: Any
    parts: list["JsonPart"] = field(default_factory=list)
    """The members of an object or the items of an array, in order."""

    def member(self, name: str) -> "Value | None":
        """A member of an object. If several have the name, the last counts, as usual in JSON."""
        return next((part.value for part in reversed(self.parts) if part.name == name), None)

    def place(self, name: str) -> int:
        """The index of that member among the parts."""
        return max(index for index, part in enumerate(self.parts) if part.name == name)


@dataclass
class JsonPart:
    """A member or an item, and the position of the comma after it, if there is one."""

    start: int
    value: Value
    name: str | None = None
    comma: int | None = None

    @property
    def end(self) -> int:
        """The end of the part, without its comma."""
        return self.value.end


@lru_cache(maxsize=2)
def parse(text: str) -> Value:
    """The value in a text. Cached, because an edit parses the same text several times."""
    return _Parser(text).document()


def tokens(text: str) -> list[str]:
    """The text without white space, to compare two texts that may differ in layout."""
    return [match.group() for match in _TOKEN.finditer(text) if match.lastgroup != "space"]


def comments(text: str) -> list[int]:
    """The positions of comments."""
    return [match.start() for match in _TOKEN.finditer(text) if match.lastgroup == "comment"]


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [match for match in _TOKEN.finditer(text) if match.lastgroup not in ("space", "comment")]
        self.at = 0

    def document(self) -> Value:
        value = self.value(0)
        if self.at < len(self.tokens):
            raise self.error("the end of the file")
        return value

    def value(self, depth: int) -> Value:
        if depth > _DEEPEST:
            raise self.error(f"at most {_DEEPEST} levels of brackets")
        token = self.peek()
        if token in _CLOSING:
            return self.container(depth)
        return self.plain("a value")

    def plain(self, expected: str) -> Value:
        if self.at == len(self.tokens) or self.tokens[self.at].lastgroup not in ("string", "word"):
            raise self.error(expected)
        match = self.tokens[self.at]
        try:
            data = _DECODER.decode(match.group())
        except ValueError:
            raise self.error(expected) from None
        self.at += 1
        return Value(match.start(), match.end(), data)

    def container(self, depth: int) -> Value:
        opening = self.tokens[self.at]
        closing = _CLOSING[opening.group()]
        named = closing == "}"
        self.at += 1
        parts: list[JsonPart] = []
        while self.peek() != closing:
            if parts and parts[-1].comma is None:
                raise self.error(f"a comma or {closing}")
            parts.append(self.part(named, depth))
        end = self.tokens[self.at].end()
        self.at += 1
        data = {part.name: part.value.data for part in parts} if named else [part.value.data for part in parts]
        return Value(opening.start(), end, data, parts)

    def part(self, named: bool, depth: int) -> JsonPart:
        name, start = None, self.tokens[self.at].start() if self.at < len(self.tokens) else len(self.text)
        if named:
            key = self.plain('a name in "quotes"')
            if not isinstance(key.data, str):
                self.at -= 1
                raise self.error('a name in "quotes"')
            if self.peek() != ":":
                raise self.error("a colon after the name")
            self.at += 1
            name = key.data
        part = JsonPart(start, self.value(depth + 1), name)
        if self.peek() == ",":
            part.comma = self.tokens[self.at].start()
            self.at += 1
        return part

    def peek(self) -> str | None:
        return self.tokens[self.at].group() if self.at < len(self.tokens) else None

    def error(self, expected: str) -> NotJsonError:
        offset = self.tokens[self.at].start() if self.at < len(self.tokens) else len(self.text.rstrip())
        return NotJsonError(self.text, offset, expected)


def _refused(word: str) -> None:
    raise ValueError(f"{word} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refused)
