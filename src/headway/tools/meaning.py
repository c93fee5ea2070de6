"""What a tool call does, decided once, from data, for all agents.

A `Vocabulary` looks the tool up in `vocabulary.toml`, reads the arguments its entry names, and interprets shell
commands. The meaning of an unknown tool is guessed cautiously from its name. It never raises, whatever the
arguments are, and is immutable.
"""

from collections.abc import Callable, Mapping
from functools import cache, cached_property, lru_cache
from typing import Any

from msgspec import structs

from headway.rolling.lazy import packaged
from headway.tools.arguments import (
    Pauses,
    appends,
    as_mapping,
    command_of,
    lines_of,
    number_of,
    paths_of,
    raw_text,
    text_of,
)
from headway.tools.kinds import (
    END,
    LONGEST_LINE,
    LONGEST_TEXT,
    MOST_PATHS,
    Guesses,
    Kind,
    Meaning,
    ToolEntry,
    as_table,
    canonical,
    entry,
    last_part,
    lets_time_pass,
)
from headway.tools.paths import is_job_output, join

__all__ = ["END", "Kind", "Meaning", "Vocabulary"]

_NOTHING = Meaning(unknown=True)
_MAY_BE_CONTENT = frozenset(("description", "explanation", "instructions", "intent", "justification"))
_MOST_ARGUMENTS = 100


class Vocabulary:
    """The tools of all agents, and how their calls are read."""

    def __init__(self, tools: Mapping[str, tuple[str, Mapping[str, Any]]], data: Mapping[str, Any]) -> None:
        self._tools = tools
        """The name and the entry of each tool, by the canonical spelling of its name."""
        self._data = data
        self._talk = frozenset(data["identity"]["talk"])
        self._entry = lru_cache(maxsize=256)(self._find_entry)  # a run uses few of some hundred tools
        self._guessed = cache(self._guessed_entry)

    @classmethod
    def packaged(cls) -> "Vocabulary":
        """The vocabulary that comes with Headway."""
        return _packaged()

    def with_tools(self, tools: Mapping[str, Mapping[str, Any]]) -> "Vocabulary":
        """Add tools, or give known ones another meaning; this vocabulary stays as it is.

        `{"my_grep": {"kind": "search", "query": "needle"}}`; the keys are explained in `vocabulary.toml`.
        """
        added = {name: as_table(name, line) for name, line in tools.items()}
        for name, line in added.items():
            entry(name, line, self._data["arguments"])  # raises if the line is wrong
        return Vocabulary(
            {**self._tools, **{canonical(name): (name, line) for name, line in added.items()}}, self._data
        )

    def meaning(self, tool: str, args: Mapping[str, Any]) -> Meaning:
        """What a call of this tool with these arguments does."""
        if not isinstance(tool, str) or not tool:
            return _NOTHING
        if not isinstance(args, dict):
            args = as_mapping(args)
        known = self._entry(tool)
        if known is not None and known.shell:
            meaning = _shell_meaning(known, args)
            return meaning if meaning.command else self._pauses.read(meaning, args)
        line = args.get("command")
        if isinstance(line, str) and line.startswith(tool) and line[len(tool) : len(tool) + 1] in _AFTER_A_WORD:
            meaning = read_command(line)  # an agent that sends whole command lines: `open a.py 12` to the tool `open`
        else:
            meaning = self._pauses.read(self._guess(tool, args) if known is None else _read(known, args), args)
            meaning = self._with_effects(meaning, tool, args) if meaning.kind in _MAY_ACT else meaning
        if meaning.kind in _MAY_MOVE and self._guesses.moves(tool, args):
            return structs.replace(meaning, moves=True)
        return meaning

    def _with_effects(self, meaning: Meaning, tool: str, args: Mapping[str, Any]) -> Meaning:
        """What a call does beside files, as far as names tell. A note that has a file of its own is a change of it."""
        acts = meaning.kind in ("web", "other") and self._guesses.acts(tool, args)
        notes = meaning.path is None and meaning.kind != "web" and self._guesses.notes(tool)
        return structs.replace(meaning, acts=acts, notes=notes) if acts or notes else meaning

    def identity(self, args: Mapping[str, Any], tool: str = "Bash") -> Mapping[str, Any]:
        """The arguments that decide whether two calls are equal, without descriptions; all if there are no others.

        For an unknown tool, a description or instructions may be the content, and count.
        """
        if not isinstance(args, (dict, Mapping)):
            return {}
        if self._talk.isdisjoint(args):
            return args
        talk = self._talk if self._entry(tool) else self._talk - _MAY_BE_CONTENT
        return {name: value for name, value in args.items() if name not in talk} or args

    def code_in(self, args: Mapping[str, Any], tool: str) -> tuple[str, str] | None:
        """The argument that holds a program for an interpreter, and the program; None for any other call."""
        if _CODE.isdisjoint(args):
            return None
        known = self._entry(tool)
        if known is None or known.kind != "run" or known.shell:
            return None
        return next(
            ((name, args[name]) for name in _CODE if name in known.command and isinstance(args.get(name), str)), None
        )

    def _find_entry(self, tool: str) -> ToolEntry | None:
        found = self._tools.get(canonical(tool)) or self._tools.get(canonical(last_part(tool)))
        if found is not None:
            return entry(*found, self._data["arguments"])
        return entry("wait", _WAIT, self._data["arguments"]) if lets_time_pass(tool) else None

    @cached_property
    def _guesses(self) -> Guesses:
        return Guesses(self._data["guess"])

    @cached_property
    def _pauses(self) -> Pauses:
        return Pauses(self._data["pauses"])

    def _guessed_entry(self, kind: Kind) -> ToolEntry:
        plain = {role: [canonical(name) for name in names] for role, names in self._data["arguments"].items()}
        return entry(kind, _guessed_line(kind), plain)

    def _guess(self, tool: str, args: Mapping[str, Any]) -> Meaning:
        names = list(args)[:_MOST_ARGUMENTS]
        plain = {canonical(name): args[name] for name in names if isinstance(name, str)}
        kind = self._guesses.kind(tool, plain)
        guessed = self._guessed("poll" if kind == "other" and self._guesses.only_asks(args) else kind)
        if guessed.shell:
            return _shell_meaning(guessed, plain)
        return structs.replace(_read(guessed, plain, guessed.kind == "other"), guessed=guessed.kind != "other")


_MAY_ACT: frozenset[Kind] = frozenset(("web", "other", "write", "edit", "delegate"))
"""Kinds of calls that may act on something else than files."""
_MAY_MOVE: frozenset[Kind] = frozenset(("other", "vcs", "read"))
"""Kinds of calls that may continue from a position of their own."""
_CODE = frozenset(("code", "script"))
"""Arguments that hold a program."""
_WAIT = {"kind": "poll", "waits": True}
_AFTER_A_WORD = frozenset(("", " ", "\n", "\t"))


@lru_cache(maxsize=1)
def _packaged() -> Vocabulary:
    data = packaged("tools/vocabulary.json", dict[str, Any])
    return Vocabulary(data["tools"], data)


def _guessed_line(kind: str) -> dict[str, Any]:
    """How the arguments of a guessed tool are read."""
    if kind == "run":
        return {"kind": kind, "shell": ["command", "cmd", "commandline"], "command": ["code", "script"]}
    return {"kind": kind}


def _read(known: ToolEntry, args: Mapping[str, Any], unknown: bool = False) -> Meaning:
    """The meaning of a call whose tool is known, or guessed."""
    kind = known.kind
    if known.when is not None:
        kind = _kind_said(known.when, args) or kind
    if kind == "write" and appends(args):
        kind = "edit"
    paths = paths_of(args, known.path)
    if known.patch and (patch := raw_text(args, known.patch)):
        from headway.tools.code import files_in_patch  # few tools take a patch or a program

        paths = files_in_patch(patch) or paths
    if kind == "run":
        return _run_meaning(known, args, paths)
    lines = lines_of(args, known) if kind == "read" and known.has_lines else None
    if kind == "read" and len(paths) == 1 and _names_folder(args, known):
        kind, lines = "list", None
    if kind == "read" and paths and is_job_output(paths[0]):
        kind, lines = "poll", None
    return Meaning(
        kind=kind,
        path=paths[0] if paths else None,
        paths=paths if len(paths) > 1 else (),
        lines=lines,
        query=text_of(args, known.query) if known.query else None,
        command=text_of(args, known.command) if known.command else None,
        changes=known.changes or kind == "edit" or kind == "write",
        waits=bool(known.waits) and _waits(known, kind, args),
        unknown=unknown,
    )


def _kind_said(when: tuple[str, dict[str, Kind]], args: Mapping[str, Any]) -> Kind | None:
    """The kind that the value of an argument determines; None if it determines none."""
    argument, kinds = when
    word = args.get(argument)
    return (kinds.get(word) or kinds.get("*")) if isinstance(word, str) else None


def _names_folder(args: Mapping[str, Any], known: ToolEntry) -> bool:
    """Whether the path ends like a folder: looking at a folder is listing it."""
    for name in known.path:
        value = args.get(name)
        if isinstance(value, str) and value.endswith("/"):
            return True
    return False


def _run_meaning(known: ToolEntry, args: Mapping[str, Any], paths: tuple[str, ...]) -> Meaning:
    """The meaning of a call that runs a piece of code, which may write files or wait."""
    from headway.tools.code import agent_skill, code_waits, code_writes, files_written_by

    code = raw_text(args, known.command) or ""
    if skill := agent_skill(code):
        kind, path, query = skill
        return Meaning(kind=kind, path=path, query=query, command=_on_one_line(code), changes=kind in ("write", "edit"))
    writes = code_writes(code)
    if writes:
        paths = files_written_by(code)[:MOST_PATHS]
    return Meaning(
        kind="run",
        path=paths[0] if paths else None,
        paths=paths if len(paths) > 1 else (),
        command=_on_one_line(code),
        changes=known.changes or writes,
        waits=code_waits(code),
    )


def _on_one_line(code: str) -> str | None:
    return " ".join(code[:LONGEST_LINE].split())[:LONGEST_TEXT] or None


def _shell_meaning(known: ToolEntry, args: Mapping[str, Any]) -> Meaning:
    """The meaning of a call that runs a shell command."""
    command = command_of(args, known.shell)
    if known.when is not None and (kind := _kind_said(known.when, args)):
        return Meaning(kind=kind, waits=_waits(known, kind, args))
    if not command:
        return _run_meaning(known, args, ())
    folder = text_of(args, known.cwd) if known.cwd else None
    return read_command(command, join(None, folder) if folder and folder != "." else None)


def read_command(line: str, folder: str | None = None) -> Meaning:
    """What a shell command does."""
    return _shell()(line, folder)


@cache
def _shell() -> Callable[[str, str | None], Meaning]:
    from headway.tools import shell  # many modules, which other tools do not need

    return shell.read_command


def _waits(known: ToolEntry, kind: Kind, args: Mapping[str, Any]) -> bool:
    """Whether this call lets time pass: always, or when an argument says for how long."""
    if isinstance(known.waits, str):
        return (number_of(args, (known.waits,)) or 0) > 0
    return known.waits and (kind == "poll" or known.when is None)
