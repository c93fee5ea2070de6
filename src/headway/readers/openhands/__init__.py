"""OpenHands: the folder of a conversation, what `--json` prints, a downloaded trajectory, the output of evaluations.

A conversation of today is `<id>/base_state.json` beside `events/event-<number>-<id>.json`; `openhands --headless
--json` prints the same events, one a line, between lines of talk. Before version 1 a trajectory was one list of actions
and observations. An evaluation writes one line for each task, with events of either kind in it.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from headway.core import events
from headway.core.events import Event
from headway.readers.openhands.folder import read_folder
from headway.readers.openhands.legacy import Legacy
from headway.readers.openhands.sdk import Conversation
from headway.rolling.forgiving import FAULTS, from_json
from headway.sources import Head, Source, readable

_SOURCES = ("agent", "user", "environment", "hook")
_LEGACY = frozenset(("args", "extras", "cause", "content", "message", "tool_call_metadata"))
"""Each action and observation of that time has one of these fields."""


class _Issue(Struct, gc=False):
    owner: str = ""
    repo: str = ""
    number: int = 0


class _Config(Struct, gc=False):
    model: str | None = None


class _Metadata(Struct, gc=False):
    llm_config: _Config | None = None
    llm: _Config | None = None


class _Report(Struct, gc=False):
    resolved: bool | None = None


class _Task(Struct, gc=False):
    """One line of an evaluation."""

    history: list[Any] | None = None
    instance_id: str | None = None
    issue: _Issue | None = None
    metadata: _Metadata | None = None
    metrics: dict[str, Any] | None = None
    success: bool | None = None
    report: _Report | None = None


class _Trajectory(Struct, gc=False):
    trajectory: list[Any]


class Openhands:
    """Conversations, trajectories and evaluations of OpenHands."""

    name = "openhands"
    title = "OpenHands (conversation folders, `--json` output, trajectories, evaluation output)"

    def recognises(self, head: Head) -> bool:
        """A folder by its files, a trajectory by its events, an evaluation by the names of its fields."""
        if "base_state.json" in head.names:
            return any(name.startswith("events/event-") for name in head.names)
        first = head.first
        if "instruction" in first and ("history" in first or {"instance_id", "metadata"} <= first.keys()):
            return "trajectory" not in first
        inside = first.get("trajectory")
        return any(_is_event(event) for event in (inside if isinstance(inside, list) else [first])[:1])

    def read(self, source: Source) -> Iterator[Event]:
        """The events of one conversation, or of each task of an evaluation."""
        head = source.head()
        if source.is_folder:
            return read_folder(source)
        if "instruction" in head.first:
            return _from_evaluation(source)
        if "trajectory" not in head.first and not isinstance(head.document, list):
            return _from_lines(source)
        return _from_trajectory(source, isinstance(head.document, dict))


def _is_event(event: Any) -> bool:
    """Whether this is an event, of today or of before; logs of other programs have sources and actions, too."""
    keys = event.keys() if isinstance(event, dict) else set()
    if not {"source", "timestamp"} <= keys or event["source"] not in _SOURCES:
        return False
    return "kind" in keys or (bool({"action", "observation"} & keys) and bool(_LEGACY & keys))


def _from_trajectory(source: Source, is_wrapped: bool) -> Iterator[Event]:
    if is_wrapped:
        document = source.document(_Trajectory)
        history = document.trajectory if document else []
    else:
        history = source.document(list[Any]) or []
    reader = _reader_of(history, readable(source.path.stem) if source.path else "", None)
    yield from _events_of(reader, history, source)


def _from_lines(source: Source) -> Iterator[Event]:
    reader: Conversation | Legacy | None = None
    for line in source.lines():
        if not line.startswith(b"{"):
            continue
        try:
            event = from_json(line, dict[str, Any])
        except FAULTS as error:
            source.skip(str(error))
            continue
        reader = reader or _reader_of([event], readable(source.path.stem) if source.path else "", None)
        yield from _events_of(reader, [event], source)


def _from_evaluation(source: Source) -> Iterator[Event]:
    for number, task in enumerate(source.records(_Task), 1):
        if task.history is None:
            source.skip("a task without a history")
            continue
        issue, metadata = task.issue, task.metadata or _Metadata()
        run = task.instance_id or (f"{issue.owner}/{issue.repo}#{issue.number}" if issue else str(number))
        history = _flat(task.history)
        reader = _reader_of(history, run, (metadata.llm_config or metadata.llm or _Config()).model)
        yield from _events_of(reader, history, source)
        yield from reader.used(task.metrics or {})
        solved = task.success if task.report is None else task.report.resolved
        yield events.RunEnded(run=run, outcome=None if solved is None else "solved" if solved else "not solved")


def _flat(history: list[Any]) -> list[Any]:
    """The oldest evaluations have pairs of an action and its observation."""
    if not any(isinstance(event, list) for event in history):
        return history
    return [part for event in history for part in (event if isinstance(event, list) else [event])]


def _reader_of(history: list[Any], run: str, model: str | None) -> Conversation | Legacy:
    """Events of today name their kind."""
    is_of_today = bool(history) and isinstance(history[0], dict) and "kind" in history[0]
    return Conversation(run, model) if is_of_today else Legacy(run, model)


def _events_of(reader: Conversation | Legacy, history: list[Any], source: Source) -> Iterator[Event]:
    for event in history:
        try:
            yield from reader.events_of(event, source)
        except msgspec.ValidationError as error:
            source.skip(str(error))
