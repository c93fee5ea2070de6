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
from collections.abc import Iterable

from headway.rolling.lazy import regex
from headway.rolling.text import has_any
from headway.tools.kinds import END, LONGEST_LINE, LONGEST_TEXT, MOST_PATHS, Meaning
from headway.tools.paths import is_job_output, join
from headway.tools.shell.program import read_program
from headway.tools.shell.programs import STRENGTH, CommandPart, packaged
from headway.tools.shell.syntax import Simple, simple_commands

_LOOPS = frozenset(("while", "until", "for"))
_OPENERS = frozenset(("if", "then", "else", "elif", "do", "while", "until", "!", "{", "function"))
_CLOSERS = frozenset(("fi", "done", "esac", "}", "for", "case", "select", "in"))
_LOG = regex(r"/(?:var/)?tmp/|.*\.(?:log|out|err)$|nohup\.")
_WHOLE = regex(r"""(?:[^'"\\]++|\\.|'[^']*+'|"(?:[^"\\]++|\\.)*+")*+""", re.DOTALL)
"""A command line whose quotes are closed. Where one is open, the recording may have cut off what it does."""
_KEEPS_KIND = frozenset(("test", "build", "run", "delegate", "poll", "web"))
_SAYS_ONLY = frozenset(("echo", "printf", ":", "true"))
_MOVES = ("cd", "pushd", "chdir", "popd", "Set-Location")
_DEEPEST = 3
"""Commands inside commands (`bash -c "bash -c …"`) that are followed."""


def read_command(command: str, folder: str | None = None) -> Meaning:
    """What a shell command does, run from this folder (paths are joined to it)."""
    part = _read(command, folder, 0)
    paths = tuple(part.paths)[:MOST_PATHS]
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


def _places(command: str) -> tuple[str | None, str | None]:
    """The folder of a `cd` that comes first, and the one in which a command line leaves the shell."""
    first = now = None
    pushed: list[str | None] = []
    for place, simple in enumerate(simple_commands(command)):
        words = _opened(simple.words)
        if not simple.depth and words and words[0] in _MOVES:
            now = _moved(now, words, pushed)
            first = first if place else now
    return first, None if now == "." else now


def _read(text: str, folder: str | None, depth: int) -> CommandPart:
    """The one part that stands for a whole command line."""
    if text.startswith(("edit ", "insert ")):  # what follows the first line is the new text
        text = text[:LONGEST_LINE].partition("\n")[0]
    folders: list[str | None] = [folder]
    pushed: list[str | None] = []
    pipes: list[CommandPart] = []
    loops = False
    for command in simple_commands(text):
        words = command.words
        loops = loops or (bool(words) and words[0] in _LOOPS)
        words = _opened(words)
        while len(folders) <= command.depth:
            folders.append(folders[-1])
        del folders[command.depth + 1 :]
        if words and words[0] in _MOVES:
            folders[-1] = _moved(folders[-1], words, pushed)
            continue
        part = _part(command, words, folders[-1], depth)
        if part is None:
            continue
        if command.piped and pipes:
            pipes[-1] = _piped(pipes[-1], part)
        else:
            pipes.append(part)
    return _strongest(pipes, loops)


def _opened(words: list[str]) -> list[str]:
    """The words without those of the shell before them: `then cd src` moves as `cd src` does."""
    while words and words[0] in _OPENERS:
        words = words[1:]
    return words


def _moved(folder: str | None, words: list[str], pushed: list[str | None]) -> str | None:
    """The folder after a move; None is the one in which the line began, and `-` one that is not known."""
    if words[0] == "popd":
        return pushed.pop() if pushed else "-"
    if words[0] == "pushd":
        pushed.append(folder)
    target = next((word for word in words[1:] if word[:1] != "-"), None)
    return join(folder, target)[:LONGEST_TEXT] if target else "~" if words == ["cd"] else "-"


def _part(command: Simple, words: list[str], folder: str | None, depth: int) -> CommandPart | None:
    """What one simple command does, seen from the folder it runs in."""
    if words and words[0] in _CLOSERS:
        return None
    programs = packaged()
    part, inner = read_program(words, command.piped, command.heredoc, programs) if words else (CommandPart(), None)
    if inner is not None:
        return _read(inner, folder, depth + 1) if depth < _DEEPEST else CommandPart("run")
    part.idle = bool(words) and words[0] in _SAYS_ONLY and not command.piped and not any(map(_expands, words))
    if command.heredoc and part.filter:
        part = CommandPart()  # `cat <<EOF` shows what the agent itself has written
    if command.writes:
        part = _redirected(part, command.writes)
    folder = folder[2:] or None if folder and folder[0] == "-" else folder
    part.paths = [join(folder, path) for path in part.paths if _is_name(path)][:MOST_PATHS]
    if folder and not part.paths and not part.filter and part.kind in ("list", "search"):
        part.paths = (folder,)
    return part


def _expands(word: str) -> bool:
    """Whether the shell replaces a word, or a part of it, by something else."""
    return "$" in word or "`" in word or "*" in word


def _is_name(path: str) -> bool:
    """Whether a word is the name of a file: not standard input, not `$f`, not what another command prints."""
    return (
        bool(path) and path != "-" and not (path[0] == "$" and "/" not in path) and "$(" not in path and "`" not in path
    )


def _redirected(part: CommandPart, writes: Iterable[tuple[str, bool]]) -> CommandPart:
    """A program whose output is redirected to a file: a write, unless the file is the log of something bigger."""
    targets = [target for target, _ in writes]
    appended = any(append for _, append in writes)
    if part.kind in ("write", "edit") and not part.minor:
        return part
    if part.kind not in _KEEPS_KIND:
        return CommandPart("edit" if appended else "write", targets, changes=True, waits=part.waits)
    if part.kind in ("run", "web", "delegate") and not all(_LOG.match(target) for target in targets):
        part.paths, part.lines, part.changes = targets, None, True
    return part


def _piped(before: CommandPart, after: CommandPart) -> CommandPart:
    """What a pipe does: its parts so far do `before`, and its next program does `after`."""
    if after.kind in ("write", "edit") and STRENGTH[before.kind] >= STRENGTH["web"]:
        return before  # `pytest | tee log`
    if not after.filter:
        same_search = before.kind == after.kind == "search"  # `find … | xargs grep x` looks for x
        if after.strength > before.strength or before.filter or same_search:
            after.paths = after.paths or before.paths
            after.changes, after.waits = after.changes or before.changes, after.waits or before.waits
            return after
        return before
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


def _strongest(parts: list[CommandPart], loops: bool) -> CommandPart:
    """The part that stands for all, with what is true of any of them; a line of comments does nothing."""
    if not parts:
        return CommandPart(idle=True)
    best = parts[0]
    if len(parts) > 1:
        best = max(parts, key=lambda part: part.strength)  # the first of equals
        _join_equals(best, parts)
        best.waits = any(part.waits for part in parts)
        best.idle = all(part.idle for part in parts)
        best.moves, best.jumps = any(part.moves for part in parts), any(part.jumps for part in parts)
        best.acts = any(part.acts and not (part.harmless and best.kind != "other") for part in parts)
        changing = [part for part in parts if part.changes and not part.harmless]
        if changing and not best.changes:
            best.changes = True
            best.paths = [path for part in changing for path in part.paths] or best.paths
            best.lines = None
        best.runs = best.changes and any(part.kind in ("run", "test", "build") for part in parts)
    if loops and best.waits and STRENGTH[best.kind] <= STRENGTH["run"]:
        best.kind = "poll"
    return best


def _join_equals(best: CommandPart, parts: list[CommandPart]) -> None:
    """Add the files of other parts that do the same: `cat a; cat b` reads both."""
    paths = dict.fromkeys(best.paths)
    for part in parts:
        if part is not best and part.kind == best.kind and part.lines == best.lines:
            paths.update(dict.fromkeys(part.paths))
    best.paths = list(paths)
