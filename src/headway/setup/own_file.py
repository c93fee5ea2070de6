"""A file that is ours alone: written whole, removed whole."""

import re

from headway.setup.form import UnfitError, is_ours

_QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


class OwnFile:
    """A hooks file or plugin in a folder from which the agent loads all files."""

    def __init__(self, content: str) -> None:
        self.content = content

    def installed(self, text: str) -> str:
        """Our content; a file of this name that is not ours is refused."""
        self._check(text)
        return self.content

    def removed(self, text: str, original: str | None) -> str | None:
        """Nothing, or what stood there before us."""
        self._check(text)
        return original

    def commands(self, text: str) -> list[str]:
        """The command lines in the file that call our hook, each once."""
        quoted = (match.group(1).replace('\\"', '"').replace("\\\\", "\\") for match in _QUOTED.finditer(text))
        return list(dict.fromkeys(filter(is_ours, quoted)))

    def _check(self, text: str) -> None:
        if text.strip() and not self.commands(text):
            raise UnfitError("line 1: this file is not Headway's, although it has its name. Please rename or remove it")
