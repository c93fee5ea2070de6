"""Suggests lines for CLAUDE.md or AGENTS.md, from what failed in the recorded runs.

A suggestion contains only what recordings show, how often it was seen and in how many runs. One run is enough if it
also shows what works. Otherwise two sightings are needed, three for failing edits, and two runs for a missing path.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from headway.core.run_report import Cause, CauseKind, RunReport
from headway.rolling.text import counted, printable

MAX_CAUSES = 5_000
MAX_WORKED = 200_000
"""Maximum number of working things to store over all runs."""
MAX_RUNS_NAMED = 5
MAX_PER_PROJECT = 12
MAX_OF_A_KIND = 4
_INSTALLS = (" install ", " add ", " -S ")
_ORDER = ("command", "program", "module", "refused", "path", "slow", "edit", "unread", "large", "reread", "search")
"""Kinds, the most informative first."""

Key = tuple[str, CauseKind, str]


class Seen(msgspec.Struct):
    """One cause in all runs of a project."""

    times: int = 0
    runs: int = 0
    works: Counter[str] = msgspec.field(default_factory=Counter)
    why: str = ""
    seen_in: list[str] = []
    """The first runs, by name and recording."""


class Suggestion(msgspec.Struct, frozen=True):
    """One line for a project's instructions, with its evidence."""

    project: str
    kind: CauseKind
    text: str
    times: int
    runs: int
    seen_in: tuple[str, ...]
    why: str

    @property
    def line(self) -> str:
        """The text with its counts."""
        return f"{self.text} ({counted(self.times, 'time')} in {counted(self.runs, 'run')})"


class Suggestions:
    """Adds up the causes of many runs."""

    def __init__(self) -> None:
        self._seen: dict[Key, Seen] = {}
        self._worked: set[Key] = set()

    def add(self, report: RunReport, worked: Iterable[tuple[CauseKind, str]] = ()) -> None:
        """Count the causes of one run, and record what worked in it."""
        if len(self._worked) < MAX_WORKED:
            self._worked.update((report.project, kind, subject) for kind, subject in worked)
        for cause in report.causes:
            if not _can_be_quoted(cause.subject):
                continue
            key = (report.project, cause.kind, cause.subject)
            seen = self._seen.get(key)
            if seen is None:
                if len(self._seen) >= MAX_CAUSES:
                    continue
                seen = self._seen[key] = Seen()
            _count(seen, cause, report)

    def all(self) -> list[Suggestion]:
        """The suggestions by project, those with the most sightings first, and the best of each kind."""
        found: dict[str, list[Suggestion]] = {}
        for (project, kind, subject), seen in sorted(self._seen.items(), key=_weight):
            edits = self._seen.get((project, "edit", subject))
            contradicted = kind == "reread" and edits is not None and _is_worth_suggesting("edit", edits)
            sign = "command" if kind == "slow" else kind
            contradicted |= not _installs(_best(seen)) and (project, sign, subject) in self._worked
            if _is_worth_suggesting(kind, seen) and not contradicted:
                text = _text(kind, subject, _best(seen), seen)
                one = Suggestion(project, kind, text, seen.times, seen.runs, tuple(seen.seen_in), seen.why)
                listed = found.setdefault(project, [])
                if len(listed) < MAX_PER_PROJECT and sum(other.kind == kind for other in listed) < MAX_OF_A_KIND:
                    listed.append(one)
        return [one for project in sorted(found, key=lambda name: -_sightings(found[name])) for one in found[project]]

    def as_data(self) -> list[dict[str, Any]]:
        """The suggestions as plain data, for programs."""
        return [msgspec.to_builtins(one) for one in self.all()]


def as_block(suggestions: list[Suggestion]) -> Iterator[str]:
    """Markdown to paste: one list, or one per project with its name."""
    projects = list(dict.fromkeys(one.project for one in suggestions))
    for project in projects:
        name = f" in `{_quoted(project)}`" if len(projects) > 1 and project else ""
        yield f"## What fails here{name}\n\n"
        yield from (f"- {one.line}\n" for one in suggestions if one.project == project)
        yield "\n" if project != projects[-1] else ""


def evidence(suggestions: list[Suggestion]) -> Iterator[str]:
    """The runs behind each suggestion."""
    for one in suggestions:
        yield one.text
        yield from (f"    {name}" for name in one.seen_in)
        if one.runs > len(one.seen_in):
            yield f"    and {counted(one.runs - len(one.seen_in), 'more run')}"


def _can_be_quoted(text: str) -> bool:
    """Whether Markdown shows exactly this text: it has no invisible characters and does not end the quotation."""
    return text.isprintable() and "`" not in text


def _quoted(name: str) -> str:
    """A name in a quotation, with a space for each character that cannot be quoted."""
    return printable(name, kept="").replace("`", " ")


def _count(seen: Seen, cause: Cause, report: RunReport) -> None:
    seen.times += cause.times
    seen.runs += 1
    seen.why = seen.why or cause.why
    if cause.works and _can_be_quoted(cause.works):
        seen.works[cause.works] += 1
    if len(seen.seen_in) < MAX_RUNS_NAMED:
        seen.seen_in.append(report.source if report.source == report.run else f"{report.run}  {report.source}")


def _weight(item: tuple[Key, Seen]) -> tuple[Any, ...]:
    (_, kind, subject), seen = item
    return -seen.runs, -seen.times, _ORDER.index(kind), subject


def _sightings(suggestions: list[Suggestion]) -> int:
    return sum(one.times for one in suggestions)


def _is_worth_suggesting(kind: CauseKind, seen: Seen) -> bool:
    if seen.works:
        return True
    if kind == "path":
        return seen.runs > 1
    return seen.times > (2 if kind in ("edit", "unread") else 1)


def _best(seen: Seen) -> str:
    return seen.works.most_common(1)[0][0] if seen.works else ""


def _text(kind: CauseKind, subject: str, works: str, seen: Seen) -> str:
    if kind in ("program", "module", "command", "path"):
        return _missing(kind, subject, works, seen)
    return {
        "refused": f"`{subject}` is not permitted here: do without it.",
        "slow": f"`{subject}` runs into the time limit: give it more time or its input, or start it in the background.",
        "edit": f"Read `{subject}` again right before you edit it: edits did not fit the text of the file.",
        "unread": f"Read a file before you change it with `{subject}`: calls on files that were not read are refused.",
        "large": f"`{subject}` is too large to be read whole: search in it, or read a part of it.",
        "search": f"Searches for `{subject}` find nothing here.",
        "reread": f"`{subject}` is read again and again without anything new: note what you need from it.",
    }[kind]


def _missing(kind: str, subject: str, works: str, seen: Seen) -> str:
    if kind == "path":
        return f"There is no `{subject}`{f'; the file is `{works}`' if works else ''}."
    if kind == "command":
        return f"`{subject}` does not work here ({_error(seen.why)}){f'; use `{works}`' if works else ''}."
    what, state = (f"`{subject}`", "not installed") if kind == "program" else (f"The module `{subject}`", "missing")
    if _installs(works):  # it may be there since
        return f"{what} was {state} in {counted(seen.runs, 'run')}; `{works}` installed it."
    return f"{what} is {state} here{f'; `{works}` works' if works else ''}."


def _installs(works: str) -> bool:
    return any(word in f"{works} " for word in _INSTALLS)


def _error(why: str) -> str:
    return why.rstrip(". ")[:80] or "it fails"
