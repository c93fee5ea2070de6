"""Adds Claude Code's status line, `"statusLine": {"type": "command", "command": "headway statusline"}`, to the hooks.

The user's own status line is left alone. Ours stays when the hook is installed again, and is removed with it.
"""

from typing import Any

from headway.setup.form import UnfitError, is_program
from headway.setup.json_edit import Style, appended, without
from headway.setup.json_hooks import JsonHooks, read_object

_NAME = "statusLine"


class HooksAndStatusLine(JsonHooks):
    """Claude Code's settings: the hooks, and on request the status line."""

    status_line = ""
    """The command of the status line to install; empty for none."""

    def installed(self, text: str) -> str:
        """The text with our hooks, and with our status line if requested."""
        text = super().installed(text)
        if not self.status_line:
            return text
        root = read_object(text)
        entry = {"type": "command", "command": self.status_line}
        there = root.data.get(_NAME)
        if there == entry:
            return text
        if there is not None and not _is_ours(there):
            raise UnfitError(
                "there is a status line already. Headway leaves it alone; to have both, let its command call `headway "
                "statusline` too, which reads the same JSON"
            )
        if there is not None:
            text = without(text, root, root.place(_NAME))
        return appended(text, read_object(text), entry, Style.of(text), _NAME)

    def removed(self, text: str, original: str | None) -> str | None:
        """The text without our hooks and our status line."""
        root = read_object(text)
        if _is_ours(root.data.get(_NAME)):
            text = without(text, root, root.place(_NAME))
        return super().removed(text, original)


def _is_ours(entry: Any) -> bool:
    command = entry.get("command") if isinstance(entry, dict) else None
    return (
        isinstance(command, str) and command.endswith(" statusline") and is_program(command.removesuffix(" statusline"))
    )
