"""Adds hooks to a TOML settings file."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from headway.setup.form import is_mention, is_ours
from headway.setup.toml_block import TomlBlock, read_toml

_MENTION = re.compile(r"headway\S*\s+hook")


class TomlHooks(TomlBlock):
    """Our hooks, in their own block."""

    begin = "# headway begins: written by `headway install`, removed by `headway uninstall`"
    end = "# headway ends"
    what = "hooks"
    own_tables = r"\[hooks\."

    def __init__(self, entries: Mapping[str, Any]) -> None:
        self.entries = entries
        """The groups of handlers to add, by event."""

    def commands(self, text: str) -> list[str]:
        """The command lines of our hooks, without duplicates. A file without any may be invalid."""
        return [line for line in self.mentions(text) if is_ours(line)]

    def events(self, text: str) -> set[str]:
        """The events that have our hook."""
        hooks = read_toml(text).get("hooks")
        events = hooks if isinstance(hooks, dict) else {}
        return {event for event in events if self.ours({"hooks": {event: events[event]}})}

    def mentions(self, text: str) -> list[str]:
        """The command lines that mention our hook, without duplicates."""
        if not _MENTION.search(text):
            return []
        return list(dict.fromkeys(str(line) for line in _commands(read_toml(text)) if is_mention(line)))

    def lines(self) -> Iterator[str]:
        """Each handler in its own group."""
        for event, group in self.entries.items():
            yield f"[[hooks.{event}]]"
            for handler in group["hooks"]:
                yield f"[[hooks.{event}.hooks]]"
                # a JSON string or number is also valid TOML
                yield from (f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in handler.items())

    def ours(self, data: Mapping[str, Any]) -> list[str]:
        """The command lines of our hooks, without duplicates."""
        return list(dict.fromkeys(str(line) for line in _commands(data) if is_ours(line)))

    def has_others(self, block: Mapping[str, Any]) -> bool:
        """Whether a hook in the block is not ours."""
        return not all(map(is_ours, _commands(block)))


def _commands(data: Mapping[str, Any]) -> Iterator[object]:
    hooks = data.get("hooks")
    for groups in hooks.values() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            handlers = group.get("hooks") if isinstance(group, dict) else None
            for handler in handlers if isinstance(handlers, list) else ():
                yield handler.get("command") if isinstance(handler, dict) else handler
