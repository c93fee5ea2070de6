"""Hooks in a TOML settings file: a block of our own at its end, between two comments."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from headway.setup.form import UnfitError, is_mention, is_ours

BEGIN = "# headway begins: written by `headway install`, removed by `headway uninstall`"
END = "# headway ends"
_BLOCK = re.compile(rf"(\r?\n)?[ \t]*{re.escape(BEGIN)}.*?{re.escape(END)}[^\n]*(\r?\n|$)", re.DOTALL)
_OTHER_TABLE = re.compile(r"^[ \t]*\[(?!\[hooks\.)", re.MULTILINE)
_MENTION = re.compile(r"headway\S*\s+hook")


class TomlHooks:
    """Settings that may hold anything else; only the block between the two comments is ours."""

    def __init__(self, entries: Mapping[str, Any]) -> None:
        self.entries = entries
        """What to add, by event: a group with its handlers."""

    def installed(self, text: str) -> str:
        """The text with our block at its end; unchanged if the block is there."""
        newline = "\r\n" if "\r\n" in text else "\n"
        block = newline.join([BEGIN, *self._lines(), END, ""])
        if block in text:
            return text
        base = self.removed(text, text) or ""
        joint = newline if not base or base.endswith("\n") else newline * 2
        new = base + joint + block
        _read(new, "after our hooks were added")
        return new

    def removed(self, text: str, original: str | None) -> str | None:
        """The text without our block."""
        _read(text)
        rest = _BLOCK.sub(_added_since, text)
        if any(is_ours(line) for line in _commands(_read(rest, "after our hooks were removed"))):
            raise UnfitError(f"Headway's hooks are outside the block that begins with {BEGIN!r}; remove them by hand")
        if original is None:
            return rest if rest.strip() else None
        return original if original.split() == rest.split() else rest

    def commands(self, text: str) -> list[str]:
        """The command lines of our hooks, each once. A file without any need not be valid."""
        return [line for line in self.mentions(text) if is_ours(line)]

    def events(self, text: str) -> set[str]:
        """The events under which our hook stands."""
        hooks = _read(text).get("hooks")
        events = hooks if isinstance(hooks, dict) else {}
        return {event for event in events if any(map(is_ours, _commands({"hooks": {event: events[event]}})))}

    def mentions(self, text: str) -> list[str]:
        """The command lines that speak of our hook, each once."""
        if not _MENTION.search(text):
            return []
        return list(dict.fromkeys(str(line) for line in _commands(_read(text)) if is_mention(line)))

    def _lines(self) -> Iterator[str]:
        for event, group in self.entries.items():
            yield f"[[hooks.{event}]]"
            for handler in group["hooks"]:
                yield f"[[hooks.{event}.hooks]]"
                # a JSON string or number is a TOML one as well
                yield from (f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in handler.items())


def _read(text: str, when: str = "") -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number with thousands of digits is no TOMLDecodeError
        why = f"{error}{', ' + when if when else ''}"
        raise UnfitError(f"{why}. Headway does not touch a file that it cannot read; please mend it first") from error


def _added_since(block: re.Match[str]) -> str:
    """What others added to our block: a program that adds a table may put it before the comment at the end."""
    inside = block.group()
    added = _OTHER_TABLE.search(inside)
    end = inside.rindex(END)
    ours = inside[: added.start() if added else end]
    if not all(map(is_ours, _commands(_read(ours, "in the block of Headway")))):
        raise UnfitError(f"other hooks stand in the block that begins with {BEGIN!r}: please move them out of there")
    return (block.group(1) or "") + inside[added.start() : end] if added else ""


def _commands(data: Mapping[str, Any]) -> Iterator[object]:
    hooks = data.get("hooks")
    for groups in hooks.values() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            handlers = group.get("hooks") if isinstance(group, dict) else None
            for handler in handlers if isinstance(handlers, list) else ():
                yield handler.get("command") if isinstance(handler, dict) else handler
