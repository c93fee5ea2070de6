"""The known shell programs, loaded from `programs.toml`, and what the parts of a line are, alone and together."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from headway.rolling.lazy import packaged as packaged_data
from headway.rolling.lazy import regex
from headway.tools.kinds import END, Kind

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
    tasks: bool = False
    """It also runs tasks of the project, by their names."""
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
    rewrites: dict[str, frozenset[str]]
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
        rewrites={name: frozenset(words) for name, words in data["rewrites"].items()},
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


_LOG = regex(r"/(?:var/)?tmp/|.*\.(?:log|out|err)$|nohup\.")
_KEEPS_KIND = frozenset(("test", "build", "run", "delegate", "poll", "web"))
_ACTS = frozenset(("test", "build", "run", "delegate"))
_SHOWS = frozenset(("web", "poll"))
UNKNOWN = frozenset(("build", "run", "delegate"))
SOMEWHERE = "."
"""The path that stands for files whose names the line does not tell."""


def redirected(part: CommandPart, targets: Sequence[str], appended: bool = False) -> CommandPart:
    """A program whose output goes to files: a write, unless the file is the log of something bigger."""
    if part.kind in ("write", "edit") and not part.minor:
        part.paths = [*part.paths, *targets] if part.paths else ()
        return part
    paths = [*targets, *(part.paths or (SOMEWHERE,))] if part.changes else list(targets)
    if part.kind not in _KEEPS_KIND:
        return CommandPart("edit" if appended else "write", paths, changes=True, waits=part.waits, acts=part.acts)
    is_log = all(_LOG.match(target) for target in targets)
    if part.kind in _SHOWS or (part.kind in ("run", "delegate") and not is_log):
        part.paths, part.lines, part.changes = paths, None, True
    return part


def does_something(part: CommandPart) -> bool:
    """Whether a command inside a word does more than print."""
    return part.changes or part.acts or part.waits or part.kind in _ACTS


def piped(before: CommandPart, after: CommandPart) -> CommandPart:
    """What a pipe does: its parts so far do `before`, and its next program does `after`."""
    if after.kind in ("write", "edit") and not after.minor and STRENGTH[before.kind] >= STRENGTH["web"]:
        return (
            before if before.kind == "test" else redirected(before, after.paths, after.kind == "edit")
        )  # `pytest | tee log`
    if not after.filter or after.changes:
        same_search = before.kind == after.kind == "search"  # `find … | xargs grep x` looks for x
        best = after if after.strength > before.strength or before.filter or same_search else before
        if best is after and (before.kind in ("search", "list") or not after.changes):
            after.paths = after.paths or before.paths  # `find src | xargs rm`
        _take_on(best, [after, before])
        return best
    if after.query is not None and before.kind in ("read", "list"):
        before.kind, before.query, before.lines = "search", after.query, None
    elif after.query is not None and before.kind == "search":
        before.query = f"{before.query} | {after.query}" if before.query else after.query
    elif after.lines and before.kind == "read" and before.in_order:
        before.lines = narrowed(before.lines, after.lines)
    before.in_order = before.in_order and after.in_order
    return before


def narrowed(lines: tuple[int, int] | None, inner: tuple[int, int]) -> tuple[int, int]:
    """The lines of a file that `inner` selects from the output of `lines`."""
    if lines is None:
        return inner
    first, last = lines
    if inner[0] > END // 2:  # counted from the end
        return max(first, last - (END - inner[0])), last
    start = min(first + inner[0] - 1, last)
    return start, min(last, first + inner[1] - 1)


def strongest(parts: list[CommandPart]) -> CommandPart:
    """The part that stands for all, with what is true of any of them; a line of comments does nothing."""
    if not parts:
        return CommandPart(idle=True)
    best = parts[0]
    if len(parts) > 1:
        best = max(parts, key=lambda part: part.strength)  # the first of equals
        if not best.changes:
            _join_equals(best, parts)
        best.idle = all(part.idle for part in parts)
        _take_on(best, parts)
    return best


def _take_on(best: CommandPart, parts: list[CommandPart]) -> None:
    """Note on the part that stands for all what any of them changes, and whether any runs something or waits."""
    best.waits = any(part.waits for part in parts)
    best.moves, best.jumps = any(part.moves for part in parts), any(part.jumps for part in parts)
    best.acts = any(part.acts and not (part.harmless and best.kind != "other") for part in parts)
    runs = any(part.kind in _ACTS or (part.runs and part.changes) for part in parts)
    changing = [part for part in parts if part.changes and not (part.harmless and best.kind in _ACTS)]
    if changing:
        first = best.paths if best.changes else ()
        paths = dict.fromkeys((*first, *(path for part in changing for path in part.paths)))
        if paths and not all(part.paths for part in changing):
            paths[SOMEWHERE] = None
        best.lines = best.lines if best.changes else None
        best.changes, best.paths = True, list(paths) or best.paths
    # a test hides what else is run, which may have changed any file, and so does waiting for it
    hidden = any(
        (part.kind == "poll" and part.runs) or (best.kind == "test" and part.kind in UNKNOWN) for part in parts
    )
    best.runs = (best.changes and runs) or hidden


def _join_equals(best: CommandPart, parts: list[CommandPart]) -> None:
    """Add the files of other parts that do the same: `cat a; cat b` reads both."""
    paths = dict.fromkeys(best.paths)
    for part in parts:
        if part is not best and part.kind == best.kind and part.lines == best.lines:
            paths.update(dict.fromkeys(part.paths))
    best.paths = list(paths)
