"""A block of our own at the end of a TOML settings file, between two comments."""

import re
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from headway.setup.form import UnfitError


class TomlBlock(ABC):
    """Settings that may contain anything. Only the block between the two comments is ours."""

    begin: ClassVar[str]
    end: ClassVar[str]
    what: ClassVar[str]
    """What the block contains, for messages."""
    own_tables: ClassVar[str]
    """A pattern for the table headers in the block, without the first bracket."""

    @abstractmethod
    def lines(self) -> Iterable[str]:
        """The lines between the two comments."""

    @abstractmethod
    def ours(self, data: Mapping[str, Any]) -> list[str]:
        """The command lines of ours in the settings, without duplicates."""

    @abstractmethod
    def has_others(self, block: Mapping[str, Any]) -> bool:
        """Whether a block contains something of the same kind that is not ours."""

    def installed(self, text: str) -> str:
        """The text with our block at its end; unchanged if it already has it."""
        newline = "\r\n" if "\r\n" in text else "\n"
        block = newline.join([self.begin, *self.lines(), self.end, ""])
        if block in text:
            return text
        base = self.removed(text, text) or ""
        joint = newline if not base or base.endswith("\n") else newline * 2
        new = base + joint + block
        read_toml(new, f"after our {self.what} were added")
        return new

    def removed(self, text: str, original: str | None) -> str | None:
        """The text without our block."""
        read_toml(text)
        block = rf"(\r?\n)?[ \t]*{re.escape(self.begin)}.*?{re.escape(self.end)}[^\n]*(\r?\n|$)"
        rest = re.sub(block, self._added_since, text, flags=re.DOTALL)
        if self.ours(read_toml(rest, f"after our {self.what} were removed")):
            raise UnfitError(
                f"Headway's {self.what} are outside the block that begins with {self.begin!r}; remove them by hand"
            )
        if original is None:
            return rest if rest.strip() else None
        return original if original.split() == rest.split() else rest

    def _added_since(self, block: re.Match[str]) -> str:
        """What other programs added to our block. They may insert a table before the closing comment."""
        inside = block.group()
        added = re.search(rf"^[ \t]*\[(?!{self.own_tables})", inside, re.MULTILINE)
        end = inside.rindex(self.end)
        ours = inside[: added.start() if added else end]
        if self.has_others(read_toml(ours, "in the block of Headway")):
            raise UnfitError(
                f"other {self.what} are in the block that begins with {self.begin!r}: please move them out of there"
            )
        return (block.group(1) or "") + inside[added.start() : end] if added else ""


def read_toml(text: str, when: str = "") -> dict[str, Any]:
    """The data of a text. If it is invalid, the error names the place."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number with thousands of digits is a plain ValueError
        why = f"{error}{', ' + when if when else ''}"
        raise UnfitError(f"{why}. Headway does not touch a file that it cannot read; please fix it first") from error
