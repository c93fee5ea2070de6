"""The name of something new, in the spellings that code needs."""

import keyword
import re
from typing import NamedTuple

from headway.config.renames import RENAMED
from headway.policy.reasons import REASONS
from headway.policy.rules import RULES

LONGEST = 40
"""Characters of a name: with a longer one, lines of the templates would not fit."""
_WORDS = re.compile(r"[a-z]+[0-9]*(_[a-z]+[0-9]*)*")
_RULES = frozenset(rule.__name__ for _, rule in RULES)


class NewError(ValueError):
    """Nothing was written; the message says why and what to do instead."""


class Name(NamedTuple):
    """A name that a module, a class and a reader can have."""

    module: str
    """`my_pattern`: the file, and the id of a detector."""
    type: str
    """`MyPattern`: the class."""
    dashed: str
    """`my-pattern`: a reader on the command line."""
    title: str
    """`My pattern`: for people."""


def checked(given: str, kind: str = "") -> Name:
    """The spellings of a name for something of this kind, or an error that proposes a name that works."""
    if keyword.iskeyword(given) or keyword.iskeyword(given.capitalize()):
        raise NewError(f"{given!r} is a word of Python itself, so no code can have that name. Choose another one.")
    if not _WORDS.fullmatch(given):
        raise NewError(
            f"{given!r} does not work as a name: use lowercase words with underscores between them, "
            f"and digits only at the end of a word{_proposal(given)}."
        )
    if len(given) > LONGEST:
        raise NewError(f"{given!r} has {len(given)} characters; a name has {LONGEST} at most.")
    words = given.split("_")
    name = Name(given, "".join(word.capitalize() for word in words), "-".join(words), " ".join(words).capitalize())
    if kind and (why := _confusion(name, kind)):
        raise NewError(f"{given!r} {why}. Choose another name.")
    return name


def _confusion(name: Name, kind: str) -> str:
    """What something of this kind would be taken for; empty if for nothing else."""
    id = name.module
    if id.startswith("test_") or (name.type.startswith("Test") and kind != "adapter"):
        return "begins like a test, and pytest may collect it as one"
    if kind != "detector":
        return ""
    if id in RENAMED:
        return f"is the old id of the detector {RENAMED[id]}, which it still stands for in settings and saved sessions"
    if id in REASONS:
        return f"is a reason for decisions already: {REASONS[id].title[:1].lower()}{REASONS[id].title[1:].rstrip('.')}"
    return "is the name of a rule of the policy" if id in _RULES else ""


def _proposal(given: str) -> str:
    """A name like the one that was given, if there is one."""
    words = re.findall(r"[A-Z]?[a-z]+[0-9]*|[A-Z]+(?![a-z])[0-9]*", given)
    proposed = "_".join(words).lower()
    return f", for example {proposed!r}" if words and not keyword.iskeyword(proposed) else ""
