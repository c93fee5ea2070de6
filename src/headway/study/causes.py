"""Finds problems in a run that a line in CLAUDE.md or AGENTS.md would prevent in later runs.

A cause is about the project or the machine, not about the task: a program that is not installed, a missing module, a
path that does not exist, a refused tool. If the run found something that works, it is stored with the cause. A command
that failed and later worked unchanged is not a cause.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from headway.core.run_report import Cause, CauseKind
from headway.core.step import Step
from headway.rolling.secrets import mask
from headway.study.error_causes import causes_in, complaint_in, refused_name
from headway.study.workarounds import Command, command_of, instead

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
    ("index", "__init__", "readme", "package", "main", "setup", "mod", "page", "route", "layout", "lib")
)
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
        """Names of files that the agent wrote itself. Problems with them are about the task."""
        self._went_well: set[Key | Command] = set()
        """What worked: commands, programs, files that could be read, and permitted tools."""

    def take(self, step: Step) -> None:
        """Process one step."""
        if step.failed or step.denied:
            for kind, subject in causes_in(step):
                self._note((kind, _shown(subject)), step)
        else:
            if step.kind == "write" and step.path and len(self._written) < 10 * MAX_CAUSES:
                self._written.add(_name(step.path))
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
        keys: Iterator[Key]
        keys = (("command", one.text) if isinstance(one, Command) else one for one in self._went_well)
        return tuple((kind, _shown_as(kind, subject)) for kind, subject in sorted(keys)[:WORKED])

    def _all(self) -> Iterator[Cause]:
        for (kind, subject), one in self._failures.items():
            worked = one.worked or (kind, subject) in self._went_well or self._ran(kind, one.command)
            if one.works or not (worked or self._is_own(kind, subject)):
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
        """Whether a cause is about a file that the agent wrote itself."""
        return kind in ("slow", "edit", "path") and any(_name(word) in self._written for word in subject.split())

    def _note(self, key: Key, step: Step) -> None:
        one = self._failures.get(key)
        if one is None:
            if len(self._failures) >= MAX_CAUSES:
                return
            why = complaint_in(step) if key[0] == "command" else " ".join(step.message.split())
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
        self._went_well.add(("refused", refused_name(step)))
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
                one.worked = refused_name(step) == subject
            elif command is not None and one.command == command:
                one.worked = kind in ("slow", *_COMMANDS)
            elif command is not None and one.command is not None and kind in _COMMANDS:
                same_test = one.is_test and step.kind == "test"
                if better := instead(one.command, command, kind, subject, same_test):
                    one.works = _shown(better)


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
