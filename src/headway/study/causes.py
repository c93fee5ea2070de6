"""Finds problems in a run that a line in CLAUDE.md or AGENTS.md would prevent in later runs.

A cause is about the project or the machine, not about the task: a program that is not installed, a missing module, a
path that does not exist, a refused tool. If the run found something that works, it is stored with the cause. A command
that failed and later worked unchanged is not a cause.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from headway.core.run_report import Cause, CauseKind
from headway.core.step import Step
from headway.rolling.lazy import regex
from headway.rolling.secrets import mask
from headway.rolling.text import has_any
from headway.study.workarounds import Command, command_of, instead, programs_in
from headway.tools.shell.syntax import simple_commands

MAX_CAUSES = 100
MAX_REPORTED = 20
MAX_CHARACTERS = 120
WORKED = 1_000
"""Maximum number of working things in a run to compare with the causes of other runs."""
EMPTY_SEARCHES = 3
"""Number of equal searches without a result after which they count as a cause."""
REREADS = 4
"""Number of reads of one file without anything new after which they count as a cause."""
_COMMANDS = ("program", "module", "command")
_COMMON = frozenset(
    ("index", "__init__", "readme", "package", "main", "setup", "mod", "page", "route", "layout", "lib", "config",
     "constants", "conftest", "utils", "util", "helpers", "common", "base", "core", "models", "model", "settings",
     "types", "schema", "schemas", "routes", "router", "views", "urls", "admin", "app", "api", "server", "client",
     "service", "services", "store", "styles", "errors", "exceptions", "tests", "test", "cli", "db", "makefile",
     "dockerfile", "changelog", "license", "pyproject", "cargo", "tsconfig")
)  # fmt: skip
"""Names that many files share, so that a file of this name need not be the one that was looked for."""

Key = tuple[CauseKind, str]


class _Failure(msgspec.Struct):
    """One cause so far."""

    command: Command | None
    why: str
    is_test: bool
    times: int = 0
    worked: bool = False
    """Whether the same command succeeded at another time."""
    works: str = ""


class Causes:
    """Collects the causes of one run, step by step."""

    def __init__(self) -> None:
        self._failures: dict[Key, _Failure] = {}
        self._empty: Counter[str] = Counter()
        self._reread: Counter[str] = Counter()
        self._found: set[str] = set()
        self._written: set[str] = set()
        """Names of files and packages that the agent wrote itself. Problems with them are about the task."""
        self._went_well: set[Key | Command] = set()
        """What worked: commands, programs, files that could be read, and permitted tools."""

    def take(self, step: Step) -> None:
        """Process one step."""
        if step.failed or step.denied:
            for kind, subject in _causes_in(step):
                self._note((kind, _shown(subject)), step)
        else:
            if step.kind == "write" and step.path and len(self._written) < 10 * MAX_CAUSES:
                self._written.add(_name(step.path))
                if step.path.endswith("/__init__.py"):
                    self._written.add(_name(step.path.removesuffix("/__init__.py")))
            self._note_search(step)
            if self._failures:
                self._note_success(step)
            if len(self._went_well) < 100 * MAX_CAUSES:
                self._note_signs(step)

    def causes(self) -> tuple[Cause, ...]:
        """The causes, most frequent first."""
        return tuple(sorted(self._all(), key=lambda one: -one.times)[:MAX_REPORTED])

    def worked(self) -> tuple[Key, ...]:
        """What worked, in the same form as the causes that it rules out in other runs."""
        keys: list[Key] = [("command", one.text) if isinstance(one, Command) else one for one in self._went_well]
        keys += [("search", query) for query in self._found]
        return tuple((kind, _shown_as(kind, subject)) for kind, subject in sorted(keys)[:WORKED])

    def _all(self) -> Iterator[Cause]:
        for (kind, subject), one in self._failures.items():
            went_well = (kind, subject) in self._went_well
            worked = one.worked or went_well or self._ran(kind, one.command)
            is_gone = self._is_own(kind, subject) or (kind == "path" and went_well)
            if not is_gone and (one.works or not worked):
                yield Cause(kind, subject, one.times, one.works, one.why)
        for query, times in self._empty.items():
            if times >= EMPTY_SEARCHES and query not in self._found:
                yield Cause("search", _shown(query), times)
        for path, times in self._reread.items():
            if times >= REREADS:
                yield Cause("reread", _shown(path), times)

    def _ran(self, kind: CauseKind, command: Command | None) -> bool:
        return kind in ("slow", *_COMMANDS) and command in self._went_well

    def _is_own(self, kind: CauseKind, subject: str) -> bool:
        """Whether a cause is about a file or a module that the agent wrote itself."""
        if kind == "module":
            return any(name.partition(".")[0] == subject for name in self._written)
        return kind in ("slow", "edit", "path") and any(_name(word) in self._written for word in subject.split())

    def _note(self, key: Key, step: Step) -> None:
        one = self._failures.get(key)
        if one is None:
            if len(self._failures) >= MAX_CAUSES:
                return
            why = _complaint_in(step) if key[0] == "command" else " ".join(step.message.split())
            one = self._failures[key] = _Failure(command_of(step), _shown(why), step.kind == "test")
        one.times += 1

    def _note_search(self, step: Step) -> None:
        query = step.meaning.query
        if step.hits is not None and query and len(self._empty) + len(self._found) < 10 * MAX_CAUSES:
            if step.hits:
                self._found.add(query)
            else:
                self._empty[query] += 1
        is_reread = step.kind == "read" and step.path and not step.news and not step.opaque
        if is_reread and step.path and len(self._reread) < 10 * MAX_CAUSES:
            self._reread[step.path] += 1

    def _note_signs(self, step: Step) -> None:
        """Note what a successful step proves to work, in the same form as the causes that it rules out."""
        self._went_well.add(("refused", _refused_name(step)))
        if (command := command_of(step)) and "not found" not in step.said:
            self._went_well.add(command)
            self._went_well.add(("program", command.words[0]))
        if step.kind == "read" and step.path:
            self._went_well.add(("path", _shown(step.path)))

    def _note_success(self, step: Step) -> None:
        command = command_of(step) if step.meaning.command else None
        for (kind, subject), one in self._failures.items():
            if one.works or one.worked:
                continue
            if kind == "path" and step.kind == "read" and step.path and _is_moved(subject, step.path):
                one.works = _shown(step.path)
            elif kind == "refused":
                one.worked = _refused_name(step) == subject
            elif command is not None and one.command == command:
                one.worked = kind in ("slow", *_COMMANDS)
            elif command is not None and one.command is not None and kind in _COMMANDS:
                same_test = one.is_test and step.kind == "test" and _has_counts(step)
                if better := instead(one.command, command, kind, subject, same_test):
                    one.works = _shown(better)


def _has_counts(step: Step) -> bool:
    """Whether the output says how many tests there were."""
    seen = step.tests
    return seen is not None and (seen.passed is not None or seen.failed is not None)


def _shown(text: str) -> str:
    shown = mask(text)
    return shown if len(shown) <= MAX_CHARACTERS else mask(shown[:MAX_CHARACTERS])  # a token may begin a longer word


_shown_name = lru_cache(maxsize=128)(_shown)
"""The same programs and tools work in run after run: three of four names are among the latest."""


def _shown_as(kind: CauseKind, subject: str) -> str:
    if kind == "path":
        return subject  # it is stored as it is shown
    return _shown(subject) if kind == "command" else _shown_name(subject)


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _is_moved(asked: str, path: str) -> bool:
    """Whether a file that could be read is the one that was looked for elsewhere."""
    name = _name(path)
    return path != asked and name == _name(asked) and name.partition(".")[0].lower() not in _COMMON


_PROGRAM = regex(r"(?:^|: |\s)[`'\"]?([A-Za-z_][\w.+-]+)[`'\"]?: (?:command )?not found|spawn ([\w.+-]+) ENOENT")
_WRAPPERS = frozenset(("sudo", "env", "time", "nohup", "xargs", "timeout", "exec", "command", "nice"))
_MODULE = regex(r"No module named '?([A-Za-z_]\w*)|Cannot find (?:module|package) '(@?[\w-][^'.]*)'")
_NO_PATH = regex(
    r"(?:file|path|directory)[^\n]{0,80} (?:does not|doesn't) exist|no such file or directory|\bENOENT\b"
    r"|file not found",
    re.IGNORECASE,
)
_NOT_STARTED = regex(
    r"missing script|no rule to make target|unrecognized arguments|unknown (?:option|command|flag|subcommand)"
    r"|unexpected argument|no such option|could not find `?cargo\.toml|go\.mod file not found"
    r"|externally-managed-environment|no configuration file provided|could not read package\.json"
    r"|command \"[\w:.-]{1,40}\" not found|err_pnpm_(?:no_|recursive)\w+|no package\.json|no such (?:sub)?command",
    re.IGNORECASE,
)
_SLOW = regex(r"(?:command|process|execution)[^\n]{0,200}timed out|timeout exceeded|timed out after", re.IGNORECASE)
_UNREAD = regex(r"has not been read yet", re.IGNORECASE)
_NO_FIT = regex(
    r"string to replace not found|no replacement was performed|no exact match|could not find the exact text"
    r"|old_str(?:ing)?\b.{0,80}(?:not found|did not appear)|failed to find (?:expected lines|context)"
    r"|found \d+ matches",
    re.IGNORECASE | re.DOTALL,
)
_LARGE = regex(r"exceeds (?:the )?maximum (?:allowed )?(?:size|tokens)", re.IGNORECASE)
_REFUSED = regex(
    r"requested permissions? to|haven't granted|sandbox denied|(?:is|are) not allowed by|denied by", re.IGNORECASE
)
_PATH = regex(r"[~./\w][^\s:;|<>*?\"'`]*")
"""A pattern for paths. A confused model sends other things."""
_HINTS = (
    "not found", "no module named", "cannot find", "missing script", "no rule to", "unrecognized", "unknown ",
    "unexpected argument", "no such", "could not", "externally-managed", "no configuration", "err_pnpm", "no package",
    "not exist", "n't exist", "enoent",
)  # fmt: skip
"""Every error that names its cause contains one of these. Most errors have none, and this check is fast."""
_TAIL = 1_500
"""Number of characters at the end of an output to search for the cause."""


def _causes_in(step: Step) -> Iterator[tuple[CauseKind, str]]:
    """The causes of a failed step, each with its subject."""
    message = f"{step.message}\n{step.said[-_TAIL:]}" if step.meaning.command else step.message or step.said[:300]
    lowered = message.lower()
    if step.denied or ("permission" in lowered and _REFUSED.search(message)):
        yield "refused", _refused_name(step)
    elif "time" in lowered and _SLOW.search(step.message):
        if (command := command_of(step)) and command.is_plain:
            yield "slow", command.text
    elif step.meaning.command:
        if has_any(lowered, _HINTS):
            yield from _of_command(step, message, lowered)
    elif step.path and _PATH.fullmatch(step.path):
        yield from _of_file(step, step.path, message)


def _complaint_in(step: Step) -> str:
    """Why a command did not start, from the program's own message: the rest of an output may contain anything."""
    found = _NOT_STARTED.search(step.message) or _NOT_STARTED.search(step.said[-_TAIL:])
    return found[0] if found else ""


def _refused_name(step: Step) -> str:
    """What was refused: the program of a command line with its first word, or the tool."""
    return (_beginning(step.meaning.command) if step.meaning.command else "") or step.tool_name


def _beginning(line: str) -> str:
    """The first two words of the program in a command line; only the first word if there are several programs."""
    command, first = programs_in(line)
    return " ".join(command.words[:2]) if command else first


def _of_command(step: Step, message: str, lowered: str) -> Iterator[tuple[CauseKind, str]]:
    line = step.meaning.command or ""
    found = _PROGRAM.search(message) if "not found" in lowered or "enoent" in lowered else None
    program = (found[1] or found[2]) if found else ""
    if program and _runs(program, line):
        yield "program", program
    elif found := _MODULE.search(message):
        yield "module", found[1] or found[2]
    elif _NOT_STARTED.search(message) and not _has_counts(step):  # the words may be those of a failing test
        if (command := command_of(step)) and command.is_plain:
            yield "command", command.text
    elif step.kind == "read" and step.path and _NO_PATH.search(message) and _PATH.fullmatch(step.path):
        yield "path", step.path


def _runs(program: str, line: str) -> bool:
    """Whether a command line runs this program. A shell also complains about words that it mistook for one."""
    for one in simple_commands(line):
        if one.words[:1] == [program] or (one.words and one.words[0] in _WRAPPERS and program in one.words[1:4]):
            return True
    return False


def _of_file(step: Step, path: str, message: str) -> Iterator[tuple[CauseKind, str]]:
    if step.kind in ("edit", "write"):
        if _UNREAD.search(message):
            yield "unread", step.tool_name
        elif _NO_FIT.search(message):
            yield "edit", path
    elif step.kind == "read" and _LARGE.search(message):
        yield "large", path
    elif _NO_PATH.search(message):
        yield "path", path
