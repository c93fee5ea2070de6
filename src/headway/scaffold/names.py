"""The name of something new, in the spellings that code needs."""

import keyword
import re
from typing import NamedTuple

LONGEST = 40
"""Characters of a name: with a longer one, lines of the templates would not fit."""
_WORDS = re.compile(r"[a-z]+[0-9]*(_[a-z]+[0-9]*)*")


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


def checked(given: str) -> Name:
    """The spellings of a name, or an error that proposes a name that works."""
    if keyword.iskeyword(given):
        raise NewError(f"{given!r} is a word of Python itself, so no module can have that name. Choose another one.")
    if not _WORDS.fullmatch(given):
        raise NewError(
            f"{given!r} does not work as a name: use lowercase words with underscores between them, "
            f"and digits only at the end of a word{_proposal(given)}."
        )
    if len(given) > LONGEST:
        raise NewError(f"{given!r} has {len(given)} characters; a name has {LONGEST} at most.")
    words = given.split("_")
    return Name(given, "".join(word.capitalize() for word in words), "-".join(words), " ".join(words).capitalize())


def _proposal(given: str) -> str:
    """A name like the one that was given, if there is one."""
    words = re.findall(r"[A-Z]?[a-z]+[0-9]*|[A-Z]+(?![a-z])[0-9]*", given)
    proposed = "_".join(words).lower()
    return f", for example {proposed!r}" if words and not keyword.iskeyword(proposed) else ""
