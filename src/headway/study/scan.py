"""One recording read through monitors: what would Headway have found, and done?"""

from collections import deque
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from headway.config.plugins import plugin_detectors
from headway.config.prices import PriceTable
from headway.config.settings import Settings
from headway.core.events import Event
from headway.core.run_report import RunReport, ScannedRun
from headway.readers import opened
from headway.reports.privacy import masked, without_content
from headway.rolling.dates import day_of
from headway.sources import Source
from headway.study.watched import Watched
from headway.tools.agent_names import program_name

if TYPE_CHECKING:
    from headway.reports.timeline import Timeline

LIVE = 100
"""Runs of one recording that are held ready at the same time; the others are packed up until their next event."""
BATCH = 100
"""Events that are read before they are watched."""


class Asked(msgspec.Struct, frozen=True):
    """What is wanted of a scan."""

    reader: str | None = None
    settings: Settings | None = None
    timelines: bool = False
    content: bool = True
    since: float | None = None
    """Only runs that went on after this time."""
    prices: PriceTable | None = None
    """What tokens cost where a recording does not say."""
    agents: tuple[str, ...] = ()
    """Only runs of these programs (`codex`, `claude*`); none means all."""
    steps: bool = False
    """Whether the steps are wanted, as rows of a table."""


def scan(source: Source, reader: str | None = None, settings: Settings | None = None) -> Iterator[RunReport]:
    """Report on every agent of every run in one recording."""
    return (one.report for one in scanned(source, Asked(reader, settings)))


def _timeline(asked: Asked) -> "Timeline | None":
    if not asked.timelines:
        return None
    from headway.reports.timeline import Timeline  # only one form of report shows them

    return Timeline(asked.content)


def scanned(source: Source, asked: Asked) -> Iterator[ScannedRun]:
    """Report on every run in one recording that was asked for, in the order they began."""
    chosen, stream = opened(source, asked.reader)
    plugins = tuple(plugin_detectors().values())
    runs: dict[tuple[str, str], _Run] = {}
    ready: deque[Watched] = deque()
    last: tuple[str, str] | None = None
    sorted_by_run = getattr(chosen, "sorted_by_run", False)
    for event in _in_batches(stream):
        key = (event.run, event.agent)
        if sorted_by_run and last is not None and key != last:
            yield from _reported(last, runs.pop(last), source, chosen.name, asked)
            ready.clear()
        last = key
        one = runs.get(key)
        if one is None:
            one = runs[key] = _Run(Watched(asked.settings, plugins, _timeline(asked), asked.prices), asked)
            ready.append(one.watched)
        elif one.watched.is_packed:
            ready.append(one.watched)
        if len(ready) > LIVE:
            ready.popleft().pack()
        one.take(event)
    ready.clear()
    while runs:
        key = next(iter(runs))
        yield from _reported(key, runs.pop(key), source, chosen.name, asked)


class _Run:
    """One run while it is read, with the rows of its steps if they are wanted."""

    def __init__(self, watched: Watched, asked: Asked) -> None:
        self.watched = watched
        self.asked = asked
        self.rows: list[dict[str, Any]] = []

    def take(self, event: Event) -> None:
        """Take in one event."""
        if not self.asked.steps:
            self.watched.take(event)
            return
        from headway.study.tables import step_row  # few want them

        session = self.watched.monitor.session
        before = session.step_count
        self.watched.take(event)
        if session.step_count > before:
            self.rows.append(step_row(session.steps[-1], self.asked.content))


def _reported(key: tuple[str, str], one: _Run, source: Source, reader: str, asked: Asked) -> Iterator[ScannedRun]:
    """The report of a run, if it is wanted."""
    report = one.watched.report(key, source, reader)
    if _is_wanted(report, source, asked):
        report = masked(report) if asked.content else without_content(report)
        timeline = one.watched.timeline
        drawn = (timeline.encoded(), timeline.encoded_outputs()) if timeline else (b"", b"")
        yield ScannedRun(report, *drawn, one.watched.worked() if asked.content else (), tuple(one.rows))


def _in_batches(events: Iterator[Event]) -> Iterator[Event]:
    """The same events. Reading some and then watching some keeps the processor's caches warm: a tenth faster."""
    while batch := list(islice(events, BATCH)):
        yield from batch


def _is_called(agent: str, name: str) -> bool:
    return fnmatchcase(agent, name) or agent == program_name(name)


def _is_wanted(report: RunReport, source: Source, asked: Asked) -> bool:
    if asked.agents and not any(_is_called(report.agent.lower(), name.lower()) for name in asked.agents):
        return False
    if asked.since is None:
        return True
    when = report.ended_at if day_of(report.ended_at) else source.last_changed
    return when is None or when >= asked.since
