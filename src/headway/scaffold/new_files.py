"""The files to write, checked as a whole before anything is written."""

import re
from pathlib import Path
from string import Template

import msgspec

from headway.scaffold.names import Name, NewError

_TEMPLATES = Path(__file__).parent / "templates"


class NewFiles(msgspec.Struct, kw_only=True):
    """Files to write and to change, all below one folder."""

    root: Path
    new: dict[str, str] = {}
    """The text of each new file, by its path below `root`."""
    changed: dict[str, str] = {}
    """The whole new text of each file that exists."""
    next_steps: tuple[str, ...] = ()
    """What the author should do next."""

    def write(self) -> None:
        """Write everything, or nothing if a file is in the way."""
        for path in self.new:
            if (self.root / path).exists():
                raise NewError(f"{self.root / path} is already there. Choose another name, or delete it first.")
        for path, text in (self.new | self.changed).items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_bytes(text.encode())  # with unchanged line breaks


def filled(template: str, name: Name, **more: str) -> str:
    """The text of a template, with the name put in, unless the class would hide what the code imports."""
    if re.search(rf"\b{name.type}\b", more.get("imports", "")):
        raise NewError(f"{name.module!r} would be the class {name.type}, which its code needs. Choose another name.")
    text = (_TEMPLATES / template).read_text(encoding="utf-8")
    return Template(text).substitute(name._asdict(), **more)
