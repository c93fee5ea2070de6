"""Reads which recorded runs succeeded, from a table or from a command that checks each recording."""

import csv
import io
import json
import shlex
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from headway.core.events import Event, RunStarted
from headway.readers import UnknownFormatError, opened
from headway.sources import Source, UnreadableError
from headway.study.judged import Recorded

YES = frozenset({"1", "true", "yes", "y", "solved", "pass", "passed", "success", "resolved"})
NO = frozenset({"0", "false", "no", "n", "failed", "fail", "unsolved", "failure", "unresolved"})


class OutcomeError(ValueError):
    """A table or command that does not give the outcomes."""


class Outcome(msgspec.Struct, frozen=True):
    """How one run ended."""

    solved: bool
    task: str = ""


def outcomes_in(path: Path) -> dict[str, Outcome]:
    """Read a table with the columns run and solved, and optionally task: CSV, TSV or JSON lines."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise OutcomeError(f"{path}: cannot be read ({error})") from error
    found: dict[str, Outcome] = {}
    for line, row in _rows(text, path):
        name, said = str(row.get("run") or ""), str(row.get("solved", "")).strip().lower()
        if not name or said not in YES | NO:
            raise OutcomeError(f"{path}, line {line}: each row needs a run and whether it was solved (true or false)")
        found[name] = Outcome(said in YES, str(row.get("task") or ""))
    if not found:
        raise OutcomeError(f"{path}: it has no rows; the columns are run, solved and, optionally, task")
    return found


def command_says_solved(command: str, recording: Path) -> bool:
    """Run a shell command to check whether the run in a recording succeeded: exit code 0 is yes, 1 is no."""
    name = shlex.quote(str(recording))
    line = command.replace("{}", name) if "{}" in command else f"{command} {name}"
    done = subprocess.run(line, shell=True, stdin=subprocess.DEVNULL, capture_output=True, check=False)  # noqa: S602
    if done.returncode not in (0, 1):
        said = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
        last = f": {said[-1]}" if said else ""
        raise OutcomeError(f"`{line}` exited with {done.returncode}; expected 0 (solved) or 1 (not solved){last}")
    return done.returncode == 0


def recorded_in(source: Source, known: dict[str, Outcome] | None, command: str | None) -> Iterator[Recorded]:
    """The runs of a recording whose outcome is known, with the events of the main agent in order."""
    try:
        reader, stream = opened(source)
    except (UnknownFormatError, UnreadableError):
        return
    for run, events in _by_run(stream, getattr(reader, "sorted_by_run", False)):
        outcome = _outcome(run, source, known, command)
        if outcome is not None:
            start = next((event for event in events if isinstance(event, RunStarted)), None)
            agent, model = (start.program or "", start.model or "") if start else ("", "")
            yield Recorded(run or source.name, outcome.solved, events, outcome.task, agent, model)


def outcome_of(run: str, source: str, known: dict[str, Outcome]) -> Outcome | None:
    """The outcome of a run, by its own name or that of its recording; None if the table does not have it."""
    names = (run, source, Path(source).name, Path(source).stem)
    return next((known[name] for name in names if name in known), None)


def _outcome(run: str, source: Source, known: dict[str, Outcome] | None, command: str | None) -> Outcome | None:
    if known is not None:
        return outcome_of(run, source.name, known)
    if command is not None and source.path is not None:
        return Outcome(command_says_solved(command, source.path))
    return None


def _by_run(stream: Iterable[Event], is_sorted: bool) -> Iterator[tuple[str, list[Event]]]:
    """The main agent's events of each run; that is the agent with the first event. If sorted, one run is in memory."""
    main: dict[str, str] = {}
    runs: dict[str, list[Event]] = {}
    for event in stream:
        if is_sorted and runs and event.run not in runs:
            yield from runs.items()
            main, runs = {}, {}
        if main.setdefault(event.run, event.agent) == event.agent:
            runs.setdefault(event.run, []).append(event)
    yield from runs.items()


def _rows(text: str, path: Path) -> Iterator[tuple[int, dict[str, object]]]:
    if text.lstrip().startswith("{"):
        for line, record in enumerate(text.splitlines(), 1):
            if record.strip():
                try:
                    yield line, json.loads(record)
                except ValueError as error:
                    raise OutcomeError(f"{path}, line {line}: not a JSON object ({error})") from error
        return
    tab = "\t" in text.split("\n", 1)[0]
    for line, row in enumerate(csv.DictReader(io.StringIO(text), delimiter="\t" if tab else ","), 2):
        yield line, dict(row)
