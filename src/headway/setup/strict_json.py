"""Explains why a program that reads strict JSON ignores a settings file that we can read."""

import json
from collections.abc import Iterator, Mapping

from headway.setup.jsonc import Value, comments, parse

_KINDS = {str: 'a text in "quotes"', bool: "true or false", dict: "an object, {…}", list: "a list, […]"}


def why_ignored(text: str, kinds: Mapping[str, type] = {}) -> str:
    """What in a text is not strict JSON, or a setting of the wrong type; empty if there is nothing.

    `kinds` has the types of settings by their dotted names.
    """
    if not text.strip():
        return ""
    loose = min(_loose(text), default=None)
    if loose is not None:
        return f"line {text.count(chr(10), 0, loose[0]) + 1}: {loose[1]}, which is not allowed in strict JSON"
    try:
        json.loads(text)
    except ValueError as error:
        return f"not strict JSON: {error}"
    return next(_wrong_kinds(text, kinds), "")


def _loose(text: str) -> Iterator[tuple[int, str]]:
    """The positions of comments and trailing commas."""
    yield from ((at, "a comment") for at in comments(text))
    waiting = [parse(text)]
    while waiting:
        parts = waiting.pop().parts
        waiting += [part.value for part in parts]
        if parts and parts[-1].comma is not None:
            yield parts[-1].comma, "a comma after the last item"


def _wrong_kinds(text: str, kinds: Mapping[str, type]) -> Iterator[str]:
    for name, kind in kinds.items():
        found: Value | None = parse(text)
        for word in name.split("."):
            found = None if found is None else found.member(word)
        if found is not None and not isinstance(found.data, kind):
            line = text.count("\n", 0, found.start) + 1
            yield f'line {line}: "{name}" must be {_KINDS[kind]}'
