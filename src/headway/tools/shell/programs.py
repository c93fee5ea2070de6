"""The known shell programs, loaded from `programs.toml`, and the types that describe one of them."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from headway.rolling.lazy import packaged as packaged_data
from headway.tools.kinds import Kind

STRENGTH: Final[dict[Kind, int]] = {
    "other": 0, "list": 1, "search": 2, "read": 3, "vcs": 5, "web": 6, "poll": 7,
    "delegate": 8, "run": 8, "build": 9, "test": 10, "write": 11, "edit": 11,
}  # fmt: skip
"""Which meaning wins when one command line does several things: the strongest, of equals the first."""

_PREPARATION = 4
"""Strength of moving files about, however it is named: `mkdir -p out && pytest` is a test."""


class CommandPart(msgspec.Struct, gc=False):
    """What one program of a command line does."""

    kind: Kind = "other"
    paths: Sequence[str] = ()
    lines: tuple[int, int] | None = None
    query: str | None = None
    changes: bool = False
    waits: bool = False
    filter: bool = False
    """It has no file of its own: it only filters its input."""
    in_order: bool = False
    """Its output is unchanged lines of its input, so that line numbers can still be followed down the pipe."""
    minor: bool = False
    """It only prepares the rest of the line, or queries it; the rest decides what the line does."""
    harmless: bool = False
    """What it changes (`mkdir`, `chmod`) makes no difference to the rest of the line."""
    idle: bool = False
    """It can have no effect, and prints nothing but its own words."""
    runs: bool = False
    """It stands for a line that changes files and runs something as well."""
    acts: bool = False
    """It acts on a service, a process or the shell itself."""
    moves: bool = False
    """It presses keys in another program, or the like: the same again does something else."""
    jumps: bool = False
    """It goes to another commit."""

    @property
    def strength(self) -> int:
        """How much this part counts when the line has others."""
        return min(STRENGTH[self.kind], _PREPARATION) if self.minor else STRENGTH[self.kind]


class Wrapper(msgspec.Struct, frozen=True):
    """A program that runs another program."""

    words: int
    """Words of its own that come before the other program."""
    valued: frozenset[str] = frozenset()
    alias: str = msgspec.field(default="", name="as")
    """It reads its words as this other program would."""
    elsewhere: bool = False
    """The other program runs on another machine, or in a container, with files of its own."""


class Writer(msgspec.Struct, frozen=True):
    """How a program that mostly reads or searches changes a file."""

    in_place: frozenset[str] = frozenset()
    """Options with which it changes the files that it names."""
    into: frozenset[str] = frozenset()
    """Options whose value is the file that it writes."""
    second: bool = False
    """The second file on its command line is written."""
    words: int = 0
    """Words of its own before the files."""
    verbs: frozenset[str] = frozenset()
    """Words that may come before those."""


class Programs(msgspec.Struct, frozen=True):
    """The content of `programs.toml`, indexed by program name."""

    kinds: dict[str, str]
    verbs: dict[str, dict[str, str]]
    changing_verbs: dict[str, frozenset[str]]
    moving_verbs: dict[str, frozenset[str]]
    task_verbs: frozenset[str]
    runners: dict[str, Kind]
    tasks: dict[str, Kind]
    check_is_test: frozenset[str]
    wrappers: dict[str, Wrapper]
    wrapped_by: frozenset[str]
    """First words of all wrappers, to rule out other programs quickly."""
    writers: dict[str, Writer]
    shows_only: dict[str, frozenset[str]]
    valued: dict[str, frozenset[str]]
    families: dict[str, frozenset[str]]


@lru_cache(maxsize=1)
def packaged() -> Programs:
    """The programs in the packaged file."""
    data = packaged_data("tools/shell/programs.json", dict[str, Any])
    wrappers = {name: msgspec.convert(entry, Wrapper) for name, entry in data["wrappers"].items()}
    verbs: dict[str, dict[str, Any]] = data["verbs"]
    return Programs(
        kinds=_by_name(data["kinds"]),
        verbs={name: {**_by_name(entry), "": entry.get("else", "run")} for name, entry in verbs.items()},
        changing_verbs={name: frozenset(entry.get("changes", ())) for name, entry in verbs.items()},
        moving_verbs={name: frozenset(entry["moves"]) for name, entry in verbs.items() if "moves" in entry},
        task_verbs=frozenset(name for name, entry in verbs.items() if entry.get("tasks")),
        runners=data["runners"],
        tasks={word: kind for kind in ("build", "test") for word in data["tasks"][kind]},
        check_is_test=frozenset(data["tasks"]["check_is_test"]),
        wrappers=wrappers,
        wrapped_by=frozenset(name.split()[0] for name in wrappers),
        writers={name: msgspec.convert(entry, Writer) for name, entry in data["writers"].items()},
        shows_only={name: frozenset(words) for name, words in data["shows_only"].items()},
        valued={name: frozenset(options) for name, options in data["valued"].items()},
        families={name: frozenset(members) for name, members in data["families"].items()},
    )


def _by_name(kinds: Mapping[str, Any]) -> dict[str, str]:
    return {
        name: kind
        for kind, names in kinds.items()
        if isinstance(names, list) and kind not in ("changes", "moves")
        for name in names
    }


def split_options(words: Sequence[str], valued: frozenset[str]) -> tuple[list[str], dict[str, str]]:
    """The words of a program that are not options, and its options with their values ("" where they have none)."""
    operands: list[str] = []
    options: dict[str, str] = {}
    waiting = ""
    for place, word in enumerate(words):
        if waiting:
            options[waiting] = word
            waiting = ""
        elif word[:1] != "-" or word == "-":
            operands.append(word)
        elif word == "--":
            operands.extend(words[place + 1 :])
            break
        elif word in valued:
            waiting = word
        elif word[1] == "-":
            name, _, value = word.partition("=")
            options[name] = value
        else:
            waiting = _short_options(word, valued, options)
    return operands, options


def _short_options(word: str, valued: frozenset[str], options: dict[str, str]) -> str:
    """Note a word such as `-rnA3`; returns the option whose value is the next word, if any."""
    for place, letter in enumerate(word[1:], 2):
        option = "-" + letter
        if option in valued:
            options[option] = word[place:]
            return "" if word[place:] else option
        options[option] = ""
    options[word] = ""
    return ""
