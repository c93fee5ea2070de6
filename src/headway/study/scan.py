"""One recording read through monitors: what would Headway have found, and done?"""

from collections import deque
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import islice
from typing import TYPE_CHECKING

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
    runs: dict[tuple[str, str], Watched] = {}
    ready: deque[Watched] = deque()
    for event in _in_batches(stream):
        key = (event.run, event.agent)
        one = runs.get(key)
        if one is None or one.is_packed:
            if one is None:
                one = runs[key] = Watched(asked.settings, plugins, _timeline(asked), asked.prices)
            ready.append(one)
            if len(ready) > LIVE:
                ready.popleft().pack()
        one.take(event)
    ready.clear()
    while runs:
        key = next(iter(runs))
        one = runs.pop(key)
        report = one.report(key, source, chosen.name)
        if _is_wanted(report, source, asked):
            report = masked(report) if asked.content else without_content(report)
            timeline = one.timeline
            drawn = (timeline.encoded(), timeline.encoded_outputs()) if timeline else (b"", b"")
            yield ScannedRun(report, *drawn, one.worked())


def _in_batches(events: Iterator[Event]) -> Iterator[Event]:
    """The same events. Reading some and then watching some keeps the processor's caches warm: a tenth faster."""
    while batch := list(islice(events, BATCH)):
        yield from batch


def last_changed(source: Source) -> float | None:
    """When the recording was last written to: the latest of its files; None if unknown."""
    path = source.path
    if path is None:
        return None
    log = path.with_name(f"{path.name}-wal")  # where a database keeps what is new
    files = [path / name for name in source.names] if source.is_folder else [path, log]
    try:
        return max((file.stat().st_mtime for file in files if file.exists()), default=None)
    except OSError:
        return None


def _is_called(agent: str, name: str) -> bool:
    return fnmatchcase(agent, name) or agent == program_name(name)


def _is_wanted(report: RunReport, source: Source, asked: Asked) -> bool:
    if asked.agents and not any(_is_called(report.agent.lower(), name.lower()) for name in asked.agents):
        return False
    if asked.since is None:
        return True
    when = report.ended_at if day_of(report.ended_at) else last_changed(source)
    return when is None or when >= asked.since
