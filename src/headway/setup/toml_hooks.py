"""Hooks in a TOML settings file: a block of our own at its end, between two comments."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from headway.setup.form import UnfitError, is_ours

BEGIN = "# headway begins: written by `headway install`, removed by `headway uninstall`"
END = "# headway ends"
_BLOCK = re.compile(rf"(\r?\n)?[ \t]*{re.escape(BEGIN)}.*?{re.escape(END)}[^\n]*(\r?\n|$)", re.DOTALL)


class TomlHooks:
    """Settings that may hold anything else; only the block between the two comments is ours."""

    def __init__(self, entries: Mapping[str, Any]) -> None:
        self.entries = entries
        """What to add, by event: a group with its handlers."""

    def installed(self, text: str) -> str:
        """The text with our block at its end; unchanged if it is there already."""
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
        rest = _BLOCK.sub("", text)
        if any(_our_commands(_read(rest, "after our hooks were removed"))):
            raise UnfitError(
                f"hooks of Headway stand outside of the block that begins with {BEGIN!r}: remove them by hand"
            )
        if original is None:
            return rest if rest.strip() else None
        return original if original.split() == rest.split() else rest

    def commands(self, text: str) -> list[str]:
        """The command lines of our hooks, each once. A file without any need not be valid."""
        if not is_ours(text):
            return []
        return list(dict.fromkeys(_our_commands(_read(text))))

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
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        why = f"{error}{', ' + when if when else ''}"
        raise UnfitError(f"{why}. Headway does not touch a file that it cannot read; please mend it first") from error


def _our_commands(data: Mapping[str, Any]) -> Iterator[str]:
    hooks = data.get("hooks")
    for groups in hooks.values() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            for handler in group.get("hooks", ()) if isinstance(group, dict) else ():
                if is_ours(handler.get("command")):
                    yield handler["command"]
