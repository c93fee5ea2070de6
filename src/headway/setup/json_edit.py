"""Edits a JSON text without changing any byte outside of the edit."""

import json
from dataclasses import dataclass
from typing import Any

from headway.setup.jsonc import Value


@dataclass(frozen=True)
class Style:
    """The layout of a file: line endings and indentation, or everything on one line."""

    newline: str = "\n"
    indent: str = "  "
    one_line: bool = False

    @classmethod
    def of(cls, text: str) -> "Style":
        """The style of a text, as far as it can be seen."""
        newline = "\r\n" if "\r\n" in text else "\n"
        if "\n" not in text.strip():
            return cls(newline, one_line=len(text.strip()) > len("{}"))
        indented = next((line for line in text.splitlines()[1:] if line[:1] in ("\t", " ") and line.strip()), "  ")
        return cls(newline, indented[: len(indented) - len(indented.lstrip())])

    def shown(self, data: Any, margin: str) -> str:
        """Data as text, with a margin before all lines but the first."""
        if self.one_line:
            return json.dumps(data, ensure_ascii=False)
        lines = json.dumps(data, ensure_ascii=False, indent=self.indent).split("\n")
        return (self.newline + margin).join(lines)


def appended(text: str, container: Value, data: Any, style: Style, name: str | None = None) -> str:
    """The text with one more item or member at the end of a container, after all comments."""
    margin = _margin(text, container.start)
    inner = margin + style.indent
    close = container.end - 1
    at = len(text[:close].rstrip())
    trailing_comma = bool(container.parts) and container.parts[-1].comma is not None
    entry = ("" if name is None else f"{json.dumps(name, ensure_ascii=False)}: ") + style.shown(data, inner)
    entry += "," if trailing_comma else ""
    if style.one_line:
        added = f" {entry}" if container.parts else entry
    else:
        added = style.newline + inner + entry
        if "\n" not in text[at:close]:
            added += style.newline + margin
    text = text[:at] + added + text[at:]
    if container.parts and not trailing_comma:
        text = _inserted(text, container.parts[-1].end, ",")
    return text


def without(text: str, container: Value, index: int) -> str:
    """The text without one part of an object or array, its comma, and the white space before it."""
    part = container.parts[index]
    start = len(text[: part.start].rstrip())
    end = part.end if part.comma is None else part.comma + 1
    text = text[:start] + text[end:]
    before = container.parts[index - 1].comma if index else None
    if part.comma is None and before is not None:
        text = text[:before] + text[before + 1 :]
    return text


def closed_as(text: str, container: Value, old: str, was: Value) -> str:
    """The text with the white space before a closing bracket as in an old text, if the last part is the same."""
    last, stood_last = _last(text, container), _last(old, was)
    if last.rstrip() != stood_last.rstrip():
        return text
    close = container.end - 1
    return text[:close].rstrip() + stood_last[len(stood_last.rstrip()) :] + text[close:]


def _last(text: str, container: Value) -> str:
    """The last part, and what follows it up to the closing bracket."""
    return text[container.parts[-1].start if container.parts else container.start + 1 : container.end - 1]


def _inserted(text: str, at: int, more: str) -> str:
    return text[:at] + more + text[at:]


def _margin(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 :]
    return line[: len(line) - len(line.lstrip(" \t"))]
