"""The types of this package: what a call *does*, the same for every agent, and how that is determined.

It is determined by the vocabulary's entry for the tool, or guessed from the name of an unknown tool.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, Literal, cast, get_args

import msgspec

from headway.rolling.lazy import lazy, regex

Kind = Literal[
    "read", "search", "list", "write", "edit", "run", "test", "build", "vcs",
    "web", "plan", "delegate", "poll", "ask", "other",
]  # fmt: skip

KINDS: Final[frozenset[str]] = frozenset(get_args(Kind))

END: Final = 1_000_000_000
"""The line number that means "to the end". Lines counted from the end lie just below it: the last ten are END-9…END."""

MOST_PATHS: Final = 20
"""A call that names more files than this is remembered by its first ones."""

LONGEST_LINE: Final = 4_000
"""Characters of a command that are read."""

LONGEST_TEXT: Final = 500
"""Characters of a command or query that are kept, for comparison and display."""


class Meaning(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What one tool call does, whatever its agent calls it."""

    kind: Kind = "other"
    """Read, search, edit, test, …"""
    path: str | None = None
    """The file or folder it is about."""
    paths: tuple[str, ...] = ()
    """All files and folders it is about, when there are several."""
    lines: tuple[int, int] | None = None
    """First and last line, counted from 1, both included; None is the whole file, or unknown."""
    query: str | None = None
    """The search pattern, the web address or query, or the question to the user."""
    command: str | None = None
    """The shell command, with normalised white space."""
    changes: bool = False
    """Whether files may be different afterwards."""
    runs: bool = False
    """Whether it also runs something: if `sed -i … && pytest` fails, the files have usually been changed."""
    waits: bool = False
    """Whether it waits, so that the same call may return something new afterwards."""
    idle: bool = False
    """It has no effect and prints nothing but its own text: `echo thinking`, `true`, a comment."""
    begins_in: str | None = None
    """The folder in which a command runs: an argument names it, or a `cd` at its beginning; `-` is one not known."""
    leaves_in: str | None = None
    """The folder in which it leaves its shell, seen from where it began; None if it is the same."""
    guessed: bool = False
    """The kind is guessed from the tool's name: it holds until what the tool does contradicts it."""
    unknown: bool = False
    """The tool is unknown and its name gives no hint: it may do anything."""
    acts: bool = False
    """It acts on a page, a service or a process, so that a look at it may show something else afterwards."""
    notes: bool = False
    """It only writes words down or sends them, as far as is known: what a search finds stays the same."""
    moves: bool = False
    """It continues from where it is (a key, a debugger's step, `undo`): the same call again does something else."""
    jumps: bool = False
    """It goes to another commit, where earlier results of tests say nothing."""

    @property
    def may_change_anything(self) -> bool:
        """Whether it runs something whose effect on files is not known."""
        return self.kind in ("run", "build", "delegate") or self.runs or self.unknown

    @property
    def may_change(self) -> bool:
        """Whether anything may be different afterwards, as far as is known before its result."""
        return self.changes or self.acts or self.may_change_anything


_NAMES = ("path", "query", "command", "shell", "cwd", "patch", "first", "last", "range", "offset", "limit")
_LINES = ("first", "last", "range", "offset", "limit")
_DEFAULTS: dict[str, tuple[str, ...]] = {
    "read": ("path", *_LINES), "search": ("query", "path"), "list": ("path",), "write": ("path",), "edit": ("path",),
    "run": ("command",), "web": ("query",), "ask": ("query",), "other": ("path",),
}  # fmt: skip
"""Which arguments to look for by their common names, by the kind of the tool."""

_COMMON_QUERY = {"web": "web", "ask": "question"}
"""Kinds whose query has common names of its own."""


class ToolEntry(msgspec.Struct, frozen=True, dict=True):
    """What one tool does, and which of its arguments name the path, the lines, the query and so on."""

    kind: Kind = "other"
    path: tuple[str, ...] = ()
    query: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    shell: tuple[str, ...] = ()
    cwd: tuple[str, ...] = ()
    patch: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    range: tuple[str, ...] = ()
    offset: tuple[str, ...] = ()
    limit: tuple[str, ...] = ()
    page: int = 0
    from_zero: bool = False
    changes: bool = False
    waits: bool | str = False
    when: tuple[str, dict[str, Kind]] | None = None

    @lazy
    def line_arguments(self) -> frozenset[str]:
        """The arguments that say which lines are asked for."""
        return frozenset((*self.first, *self.last, *self.range, *self.offset, *self.limit))

    @lazy
    def has_lines(self) -> bool:
        """Whether a call can ask for some lines only."""
        return bool(self.page or self.first or self.range or self.offset or self.limit)


KNOWN_KEYS = frozenset(ToolEntry.__struct_fields__)


def as_table(tool: str, line: object) -> dict[str, Any]:
    """A line of the vocabulary in its long form: `"read"` is short for `{kind = "read"}`."""
    if isinstance(line, str):
        return {"kind": line}
    if isinstance(line, Mapping):
        return dict(line)
    raise ValueError(f'tool "{tool}": expected a table such as {{kind = "read", path = "file"}}, got {line!r}')


def entry(tool: str, line: Mapping[str, Any], common: Mapping[str, list[str]]) -> ToolEntry:
    """Check one line and fill in the common argument names.

    Raises ValueError, naming the tool, the key and the nearest known one.
    """
    fields: dict[str, Any] = {}
    for key, value in line.items():
        if key not in KNOWN_KEYS:
            raise ValueError(f'tool "{tool}": unknown key "{key}"{_nearest(key, KNOWN_KEYS)}')
        fields[key] = _checked(tool, key, value)
    if "kind" not in fields and not fields.get("shell") and not fields.get("when"):
        raise ValueError(f'tool "{tool}": key "kind" is missing; known kinds are {", ".join(sorted(KINDS))}')
    fields.setdefault("kind", "run" if fields.get("shell") else "other")
    kinds = {fields["kind"], *(fields["when"][1].values() if fields.get("when") else ())}
    for role in _unsaid(kinds, fields):
        names = next((_COMMON_QUERY[kind] for kind in kinds if role == "query" and kind in _COMMON_QUERY), role)
        fields[role] = tuple(common[names])
    return ToolEntry(**fields)


def _unsaid(kinds: set[str], fields: Mapping[str, Any]) -> list[str]:
    """The arguments to look for by their common names: for lines, only if the entry names no argument for them."""
    says_lines = "page" in fields or any(key in fields for key in _LINES)
    roles = dict.fromkeys(role for kind in kinds for role in _DEFAULTS.get(kind, ()))
    return [role for role in roles if role not in fields and not (says_lines and role in _LINES)]


def _checked(tool: str, key: str, value: Any) -> Any:
    if key == "kind":
        return _kind(tool, key, value)
    if key == "when":
        return _conditions(tool, value)
    if key in _NAMES:
        names = _listed(value)
        if names and all(isinstance(name, str) for name in names):
            return names
        raise ValueError(f'tool "{tool}": key "{key}" must name an argument, got {value!r}')
    expected: tuple[type, ...] = {"page": (int,), "waits": (bool, str)}.get(key, (bool,))
    if not isinstance(value, expected) or (key == "page" and isinstance(value, bool)):
        raise ValueError(
            f'tool "{tool}": key "{key}" must be {" or ".join(t.__name__ for t in expected)}, got {value!r}'
        )
    return value


def _conditions(tool: str, value: Any) -> tuple[str, dict[str, Kind]]:
    if not isinstance(value, Mapping) or len(value) != 1 or not isinstance(next(iter(value.values())), Mapping):
        raise ValueError(f'tool "{tool}": key "when" must be like {{command = {{view = "read"}}}}, got {value!r}')
    [(argument, kinds)] = value.items()
    return argument, {word: _kind(tool, "when", kind) for word, kind in kinds.items()}


def _kind(tool: str, key: str, value: Any) -> Kind:
    if not isinstance(value, str) or value not in KINDS:
        raise ValueError(f'tool "{tool}": key "{key}" has an unknown kind {value!r}{_nearest(value, KINDS)}')
    return cast(Kind, value)


def _nearest(word: object, known: frozenset[str]) -> str:
    from difflib import get_close_matches  # only needed for error messages

    close = get_close_matches(str(word), known, 1, 0.5)
    return f'; did you mean "{close[0]}"?' if close else f"; known are {', '.join(sorted(known))}"


def _listed(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


_WORD = regex(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_LONGEST_NAME = 200
_OLD = frozenset(("oldstring", "oldstr", "oldtext"))
_NEW = frozenset(("newstring", "newstr", "newtext"))


def canonical(name: str) -> str:
    """One spelling for `readFile`, `read_file`, `ReadFile` and `read-file`."""
    return name.lower().replace("_", "").replace("-", "").replace(" ", "")


def last_part(name: str) -> str:
    """The tool's own name: `read_file` of `mcp__fs__read_file`, `functions.read_file` or `fs:read_file`."""
    name = name[-_LONGEST_NAME:].rsplit("__", 1)[-1]
    for sign in ".:/":
        name = name.rsplit(sign, 1)[-1]
    return name


@lru_cache(maxsize=256)
def lets_time_pass(name: str) -> bool:
    """Whether a tool waits, by its name: `wait_for_deploy` does, `get_job_status` and `poll_job` do not."""
    first = _WORD.match(last_part(name))
    return first is not None and first[0].lower() in ("wait", "sleep", "await")


class Guesses:
    """The verbs by which names are understood; immutable."""

    def __init__(self, data: Mapping[str, Mapping[str, Collection[str]]]) -> None:
        self._starts, self._ends, self._runs = (_by_word(data[part]) for part in ("starts", "ends", "runs"))
        self._acts, self._notes = (frozenset(data["does"][part]) for part in ("acts", "notes"))
        self._said_in = data["does"]["said_in"]
        self._moves, self._steps = (frozenset(data["does"][part]) for part in ("moves", "steps"))
        self._named = lru_cache(maxsize=256)(self._kind_named)  # a run uses few tools

    def kind(self, tool: str, argument_names: Collection[str]) -> Kind:
        """The kind of tool that a name (and its arguments' canonical names) suggests; "other" when in doubt."""
        replaces = not (_OLD.isdisjoint(argument_names) or _NEW.isdisjoint(argument_names))
        return self._named(tool) or ("edit" if replaces else "other")

    def only_asks(self, args: Mapping[str, Any]) -> bool:
        """Whether an argument says that a tool of several abilities only asks for a state, or waits."""
        said = self._said(args)
        return said is not None and len(said) <= _LONGEST_NAME and self._named(said) == "poll"

    def moves(self, tool: str, args: Mapping[str, Any]) -> bool:
        """Whether a call continues from its current position, by the tool's name or what it is told to do."""
        if not self._moves.isdisjoint(name_words(tool)):
            return True
        said = self._said(args) or args.get("command")
        first = said[:_LONGEST_NAME].split(maxsplit=1)[:1] if isinstance(said, str) else []
        return any(word.lower() in self._moves or word in self._steps for word in first)

    def acts(self, tool: str, args: Mapping[str, Any]) -> bool:
        """Whether a call acts on what it is about: as one of its arguments says, or else the tool's name."""
        said = self._said(args)
        return not self._acts.isdisjoint(name_words(tool) if said is None else name_words(said))

    def notes(self, tool: str) -> bool:
        """Whether a tool, by its name, only writes words down or sends them."""
        return not self._notes.isdisjoint(name_words(tool))

    def _said(self, args: Mapping[str, Any]) -> str | None:
        return next((args[name] for name in self._said_in if isinstance(args.get(name), str)), None)

    def _kind_named(self, tool: str) -> Kind | None:
        words = name_words(tool)
        kind = (self._starts.get(words[0]) or self._ends.get(words[-1])) if words else None
        if kind == "run":
            return next((self._runs[word] for word in words[1:] if word in self._runs), kind)
        return kind


@lru_cache(maxsize=256)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a tool's own name, in lower case."""
    return tuple([word.lower() for word in _WORD.findall(last_part(name))])


def _by_word(kinds: Mapping[str, Iterable[str]]) -> dict[str, Kind]:
    return {word: cast(Kind, kind) for kind, words in kinds.items() for word in words}
