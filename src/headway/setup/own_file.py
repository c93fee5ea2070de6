"""A file that is ours alone: written whole, removed whole."""

import re
from collections.abc import Callable

from headway.setup.form import UnfitError, is_mention, is_ours

_QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


class OwnFile:
    """A hooks file or plugin in a folder from which the agent loads all files."""

    def __init__(self, content: str, is_made: Callable[[str], bool]) -> None:
        self.content = content
        self.is_made = is_made
        """Whether a Headway of any version wrote a text; another file may have the same name."""

    def installed(self, text: str) -> str:
        """Our content; a file of this name that is not ours is refused."""
        self._check(text)
        return self.content

    def removed(self, text: str, original: str | None) -> str | None:
        """Nothing, or what stood there before us."""
        self._check(text)
        return original

    def commands(self, text: str) -> list[str]:
        """The command lines in the file that call our hook, each once; none if the file is not ours."""
        lines = self.mentions(text)
        return lines if all(map(is_ours, lines)) and self.is_made(text) else []

    def events(self, text: str) -> set[str]:
        """Those of the whole file, which is ours: the events whose names stand in it."""
        return {match.group(1) for match in _QUOTED.finditer(text)} if self.commands(text) else set()

    def mentions(self, text: str) -> list[str]:
        """The command lines in the file that speak of our hook, each once."""
        quoted = (match.group(1).replace('\\"', '"').replace("\\\\", "\\") for match in _QUOTED.finditer(text))
        return list(dict.fromkeys(filter(is_mention, quoted)))

    def _check(self, text: str) -> None:
        if text.strip() and not self.commands(text):
            raise UnfitError("line 1: Headway did not write this file, although it has its name. Rename or remove it")
