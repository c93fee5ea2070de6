"""A file that belongs to Headway alone: written and removed as a whole."""

import re
from collections.abc import Callable

from headway.setup.form import UnfitError, is_mention, is_ours

_QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


class OwnFile:
    """A hooks file or plugin in a folder from which the agent loads all files."""

    def __init__(self, content: str, is_made: Callable[[str], bool]) -> None:
        self.content = content
        self.is_made = is_made
        """Whether Headway (any version) wrote a text. Another file may have the same name."""

    def installed(self, text: str) -> str:
        """Our content. Refuses to replace a file of this name that is not ours."""
        self._check(text)
        return self.content

    def removed(self, text: str, original: str | None) -> str | None:
        """None, or the content from before Headway."""
        self._check(text)
        return original

    def commands(self, text: str) -> list[str]:
        """The command lines in the file that call our hook, without duplicates; none if the file is not ours."""
        lines = self.mentions(text)
        return lines if all(map(is_ours, lines)) and self.is_made(text) else []

    def events(self, text: str) -> set[str]:
        """The events whose names occur in the file."""
        return {match.group(1) for match in _QUOTED.finditer(text)} if self.commands(text) else set()

    def mentions(self, text: str) -> list[str]:
        """The command lines in the file that mention our hook, without duplicates."""
        quoted = (match.group(1).replace('\\"', '"').replace("\\\\", "\\") for match in _QUOTED.finditer(text))
        return list(dict.fromkeys(filter(is_mention, quoted)))

    def _check(self, text: str) -> None:
        if text.strip() and not self.commands(text):
            raise UnfitError("line 1: Headway did not write this file, although it has its name. Rename or remove it")
