"""What a shell command does.

A command line is split into its programs (`syntax`), each is interpreted (`program` strips `sudo` and the like, and
uses `file_readers`, `actions`, `git`, `agent_commands`, with the names in `programs.toml`), and the parts are combined
into one `Meaning`:

- In a pipe, programs without a file of their own only filter their input. `cat f | grep x` searches f,
  `cat f | sed -n 5,9p` reads five lines of it, `pytest | tail` is a test.
- In a chain the strongest part wins, of equals the first: write, edit > test > build > run, delegate > poll >
  web > vcs > moving files about > read > search > list > other. The whole changes files, or waits, if any part
  does (except `mkdir` and the like, unless they stand alone).
- All paths after `cd folder` are relative to that folder, and a shell that lasts stays in it.
"""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from headway.rolling.lazy import regex
from headway.rolling.text import has_any
from headway.tools.kinds import LONGEST_LINE, LONGEST_TEXT, MOST_PATHS, Meaning
from headway.tools.paths import is_job_output, join
from headway.tools.shell.program import ASSIGNMENT, read_program
from headway.tools.shell.programs import (
    SOMEWHERE,
    STRENGTH,
    UNKNOWN,
    CommandPart,
    does_something,
    narrowed,
    packaged,
    piped,
    redirected,
    strongest,
)
from headway.tools.shell.syntax import SHELL_WORDS, Simple, simple_commands

if TYPE_CHECKING:
    from headway.tools.shell.structure import Compound, Node

__all__ = ["narrowed", "read_command"]

_WHOLE = regex(r"""(?:[^'"\\]++|\\.|'[^']*+'|"(?:[^"\\]++|\\.)*+")*+""", re.DOTALL)
"""A command line whose quotes are closed. Where one is open, the recording may have cut off what it does."""
_SAYS_ONLY = frozenset(("echo", "printf", ":", "true"))
_MOVES = ("cd", "pushd", "chdir", "popd", "Set-Location")
_DEEPEST = 5
"""Commands inside commands (`bash -c "bash -c …"`) that are followed."""
_MOST_CALLS = 20
"""Calls of functions in a line that are followed."""


def read_command(command: str, folder: str | None = None) -> Meaning:
    """What a shell command does, run from this folder (paths are joined to it)."""
    part = _Reading(folder).line(command)
    paths = _bounded(part)
    if part.kind == "read" and paths and is_job_output(paths[0]):
        part.kind, part.lines = "poll", None
    begins, leaves = _places(command) if has_any(command, _MOVES) else (None, None)
    if folder:
        begins, leaves = join(folder, begins or "."), None  # a call that names its folder gets a shell of its own
    return Meaning(
        kind=part.kind,
        path=paths[0] if paths else None,
        paths=paths if len(paths) > 1 else (),
        lines=part.lines,
        query=part.query[:LONGEST_TEXT] if part.query else None,
        command=" ".join(command[:LONGEST_LINE].split())[:LONGEST_TEXT] or None,
        changes=part.changes,
        runs=part.runs,
        waits=part.waits,
        idle=part.idle and _WHOLE.fullmatch(command[:LONGEST_LINE]) is not None,
        acts=part.acts,
        moves=part.moves,
        jumps=part.jumps,
        begins_in=begins,
        leaves_in=leaves,
    )


def _bounded(part: CommandPart) -> tuple[str, ...]:
    if part.changes and len(part.paths) > MOST_PATHS:
        return (*part.paths[: MOST_PATHS - 1], SOMEWHERE)
    return tuple(part.paths)[:MOST_PATHS]


def _places(command: str) -> tuple[str | None, str | None]:
    """The folder of a `cd` that comes first, and the one in which a command line leaves the shell."""
    first = now = None
    pushed: list[str | None] = []
    flat = simple_commands(command)
    _tree(flat)
    for place, simple in enumerate(flat):
        words = simple.words[simple.skipped :]
        if not simple.depth and words and words[0] in _MOVES:
            now = _moved(now, words, pushed)
            first = first if place else now
    return first, None if now == "." else now


def _moved(folder: str | None, words: list[str], pushed: list[str | None]) -> str | None:
    """The folder after a move; None is the one in which the line began, and `-` one that is not known."""
    if words[0] == "popd":
        return pushed.pop() if pushed else "-"
    if words[0] == "pushd":
        pushed.append(folder)
    target = next((word for word in words[1:] if word[:1] != "-"), None)
    return join(folder, target)[:LONGEST_TEXT] if target else "~" if words == ["cd"] else "-"


def _tree(flat: Sequence[Simple]) -> "Iterable[Node]":
    """The commands of a line with those inside each other; most lines have none."""
    if not any("(" in simple.after or not SHELL_WORDS.isdisjoint(simple.words[:1]) for simple in flat):
        return flat
    from headway.tools.shell.structure import structure  # most lines need no tree

    return structure(flat)


class _Reading:
    """The reading of one command line, as it goes from folder to folder."""

    def __init__(self, folder: str | None, outer: "_Reading | None" = None) -> None:
        self.folder = folder
        self.pushed: list[str | None] = []
        self.depth: int = outer.depth + 1 if outer else 0
        self.functions: dict[str, Compound] = outer.functions if outer else {}
        self.calls: list[str] = outer.calls if outer else []
        self.loops = False

    def line(self, text: str) -> CommandPart:
        """The one part that stands for a whole command line."""
        if text.startswith(("edit ", "insert ")):  # what follows the first line is the new text
            text = text[:LONGEST_LINE].partition("\n")[0]
        part = self._all(_tree(simple_commands(text)))
        if self.loops and part.waits and STRENGTH[part.kind] <= STRENGTH["run"]:
            part.runs = part.runs or (part.kind in UNKNOWN and not part.minor)
            part.kind = "poll"
        return part

    def _all(self, nodes: "Iterable[Node]") -> CommandPart:
        pipes: list[CommandPart] = []
        for node in nodes:
            part = self._simple(node) if isinstance(node, Simple) else self._compound(node)
            if part is None:
                continue
            if node.piped and pipes:
                pipes[-1] = piped(pipes[-1], part)
            else:
                pipes.append(part)
        return strongest(pipes)

    def _compound(self, node: "Compound") -> CommandPart:
        if node.name:
            self.functions[node.name] = node
            return CommandPart()
        return self._body(node)

    def _body(self, node: "Compound") -> CommandPart:
        """What the commands inside a compound command do, and where their output goes."""
        self.loops = self.loops or node.is_loop
        folder, pushed = self.folder, [*self.pushed]
        part = self._with_inner(self._all(node.commands), node.head)
        if any(map(_expands, node.head.words)):
            part.idle = False
        inside, self.folder = self.folder, folder
        part = self._sent(part, node.end)
        if node.opener == "(":
            self.pushed = pushed
        else:
            self.folder = inside
        return part

    def _called(self, name: str) -> CommandPart:
        if len(self.calls) >= _MOST_CALLS or self.depth >= _DEEPEST:
            return CommandPart("run")
        self.calls.append(name)
        return _Reading(self.folder, self)._body(self.functions[name])

    def _simple(self, simple: Simple) -> CommandPart | None:
        """What one simple command does, seen from the folder it runs in."""
        words = simple.words[simple.skipped :]
        if words and words[0] in _MOVES:
            self.folder = _moved(self.folder, words, self.pushed)
            return None
        if simple.inner and words and all(map(ASSIGNMENT.match, words)):
            return self._sent(strongest([self._inside(text) for text in simple.inner]), simple)
        part = self._called(words[0]) if words and words[0] in self.functions else self._program(simple, words)
        return self._sent(self._with_inner(part, simple), simple)

    def _program(self, simple: Simple, words: list[str]) -> CommandPart:
        if not words or words[0].startswith("(("):
            return CommandPart()
        part, inner = read_program(words, simple.piped, simple.heredoc or simple.here_string, packaged())
        if inner is not None:
            return self._inside(inner)
        part.idle = words[0] in _SAYS_ONLY and not simple.piped and not any(map(_expands, words))
        part.paths = self._named(part.paths, part.changes)
        if not part.paths and not part.filter and part.kind in ("list", "search") and (folder := self._where):
            part.paths = (folder,)
        return part

    def _inside(self, text: str) -> CommandPart:
        """What a command line inside another one does."""
        return _Reading(self.folder, self).line(text) if self.depth < _DEEPEST else CommandPart("run")

    def _with_inner(self, part: CommandPart, simple: Simple) -> CommandPart:
        """The part, and what the commands inside its words do, if that is more than looking."""
        if not simple.inner and not simple.beside:
            return part
        inner = [one for text in simple.inner if does_something(one := self._inside(text))]
        return strongest([part, *map(self._inside, simple.beside), *inner])

    def _sent(self, part: CommandPart, simple: Simple) -> CommandPart:
        """The part, with its input and output where the command says."""
        if simple.heredoc and part.filter:
            part = CommandPart()  # `cat <<EOF` shows what the agent itself has written
        if simple.writes or simple.errors:
            targets = [*(target for target, _ in simple.writes), *simple.errors]
            part = redirected(part, self._named(targets, True), any(append for _, append in simple.writes))
        return part

    @property
    def _where(self) -> str | None:
        """The folder, as far as it is known."""
        return self.folder[2:] or None if self.folder and self.folder[0] == "-" else self.folder

    def _named(self, paths: Sequence[str], changed: bool) -> list[str]:
        """The names of files, seen from where the line began; of files that change, also those it does not tell."""
        named = [join(self._where, path) for path in paths if _is_name(path)][:MOST_PATHS]
        if changed and named and (len(paths) > len(named) or any(map(_stands_for_others, named))):
            named.append(SOMEWHERE)
        return named


def _expands(word: str) -> bool:
    """Whether the shell replaces a word, or a part of it, by something else."""
    return "$" in word or "`" in word or "*" in word


def _is_name(path: str) -> bool:
    """Whether a word is the name of a file: not standard input, not `$f`, not what another command prints."""
    return (
        bool(path)
        and path != "-"
        and path[:2] not in ("<(", ">(")
        and not (path[0] == "$" and "/" not in path)
        and "$(" not in path
        and "`" not in path
    )


def _stands_for_others(path: str) -> bool:
    """Whether the shell makes other names of this one."""
    return "$" in path or "`" in path or "{" in path
