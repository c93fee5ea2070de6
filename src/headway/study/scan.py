"""Scans recordings: what would Headway have found and done?"""

import gc
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from itertools import accumulate, chain, islice
from typing import TYPE_CHECKING, Any

import msgspec

from headway.config.price_files import PriceTable
from headway.config.settings import Settings
from headway.core.events import Event
from headway.core.run_report import RunReport, ScannedFile, ScannedRun
from headway.detectors import plugin_detectors
from headway.readers import NothingReadableError, UnknownFormatError, opened
from headway.reports.privacy import masked, without_content
from headway.rolling.dates import day_of
from headway.sources import Source
from headway.study.turn_ends import with_turn_ends
from headway.study.watched import Watched
from headway.tools import program_name

if TYPE_CHECKING:
    from headway.reports.timeline import Timeline

LIVE = 100
"""Maximum number of runs of one recording to hold unpacked. Others are packed until their next event."""
BATCH = 100
"""Number of events to read before they are processed."""
WORTH_IT = 6_000_000
"""Below this many bytes, a second process takes longer to start than it saves."""
DAY = 86_400.0
NEW_OBJECTS = 20_000
"""New objects after which Python looks for cycles in a process that only scans."""


class ScanOptions(msgspec.Struct, frozen=True):
    """The options of a scan."""

    reader: str | None = None
    settings: Settings | None = None
    timelines: bool = False
    content: bool = True
    since: float | None = None
    """Only runs that continued after this time."""
    prices: PriceTable | None = None
    """The prices of tokens, for recordings without costs."""
    agents: tuple[str, ...] = ()
    """Only runs of these programs (`codex`, `claude*`); empty means all."""
    steps: bool = False
    """Whether to include the steps as table rows."""


@contextmanager
def collected_rarely() -> Iterator[None]:
    """Look for reference cycles less often, in a process that only scans: a scan makes many objects and few cycles."""
    before = gc.get_threshold()
    gc.set_threshold(max(NEW_OBJECTS, before[0]) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def scan_all(sources: Sequence[Source], asked: ScanOptions, jobs: int | None = None) -> Iterator[ScannedFile]:
    """The result of each recording, in order. Many are scanned by several processes: one for each core, or `jobs`."""
    sizes = accumulate(source.size for source in sources)
    if jobs == 1 or len(sources) < 2 or not any(size >= WORTH_IT for size in sizes):
        return (scan_one(source, asked) for source in sources)
    from headway.study.pool import cores, in_processes  # most scans are of a few files

    return in_processes(sources, asked, jobs or cores())


def scan_one(source: Source, asked: ScanOptions) -> ScannedFile:
    """One recording with its runs. Errors are part of the result and not raised."""
    runs: list[ScannedRun] = []
    for one in scan_each(source, asked):
        if isinstance(one, ScannedFile):
            return msgspec.structs.replace(one, runs=tuple(runs))
        runs.append(one)
    raise AssertionError("a recording ends with what there is to say about it")


def scan_each(source: Source, asked: ScanOptions) -> Iterator[ScannedRun | ScannedFile]:
    """The runs of one recording one by one, then the recording itself without them."""
    size, name = source.size, source.name
    try:
        if asked.since is not None and (source.last_changed or asked.since) < asked.since - DAY:
            yield ScannedFile(name, size=size)  # no event can be newer than its file
            return
        several = yield from scanned(source, asked)
        trouble = f"{name}: {source.broken_off}" if source.broken_off else ""
        yield ScannedFile(
            name, size=size, skipped_records=source.skipped, trouble=trouble, missing=source.missing,
            several_runs=several,
        )  # fmt: skip
    except UnknownFormatError as error:
        yield ScannedFile(name, size=size, passed_over=str(error))
    except NothingReadableError as error:
        yield ScannedFile(name, size=size, skipped_records=error.skipped, unread=str(error))
    except OSError as error:
        yield ScannedFile(name, size=size, trouble=f"{name}: {error.strerror or error}")
    except Exception as error:  # a bug in one recording must not end the scan of the others
        why = f"{name}: Headway failed on it ({type(error).__name__}: {error}); please report this"
        yield ScannedFile(name, size=size, trouble=why)
    finally:
        source.close()


def scan(source: Source, reader: str | None = None, settings: Settings | None = None) -> Iterator[RunReport]:
    """Report on every agent of every run in one recording."""
    return (one.report for one in scanned(source, ScanOptions(reader, settings)))


def _timeline(asked: ScanOptions) -> "Timeline | None":
    if not asked.timelines:
        return None
    from headway.reports.timeline import Timeline  # only one form of report shows them

    return Timeline(asked.content)


def scanned(source: Source, asked: ScanOptions) -> Generator[ScannedRun, None, bool]:
    """Report on every requested run in one recording, in the order they began. Returns whether it has several runs."""
    chosen, stream = opened(source, asked.reader)
    plugins = tuple(plugin_detectors().values())
    runs: dict[tuple[str, str], _Run] = {}
    ready: deque[Watched] = deque()
    last: tuple[str, str] | None = None
    begun = 0
    sorted_by_run = getattr(chosen, "sorted_by_run", False)
    for event in with_turn_ends(_in_batches(stream), sorted_by_run=sorted_by_run):
        key = (event.run, event.agent)
        if key != last:  # seldom: most events are of the same agent as the one before
            if sorted_by_run and last is not None:
                yield from _reported(last, runs.pop(last), source, chosen.name, asked)
                ready.clear()
            last, one = key, runs.get(key)
            if one is None:
                begun += 1
                one = runs[key] = _Run(Watched(asked.settings, plugins, _timeline(asked), asked.prices), asked)
                ready.append(one.watched)
            elif one.watched.is_packed:
                ready.append(one.watched)
            if len(ready) > LIVE:
                ready.popleft().pack()
            take = one.take
        take(event)
    ready.clear()
    while runs:
        key = next(iter(runs))
        yield from _reported(key, runs.pop(key), source, chosen.name, asked)
    return begun > 1


class _Run:
    """One run while it is read, with the rows of its steps if requested."""

    def __init__(self, watched: Watched, asked: ScanOptions) -> None:
        self.watched = watched
        self.asked = asked
        self.rows: list[dict[str, Any]] = []
        self.take = self._take_with_row if asked.steps else watched.take

    def _take_with_row(self, event: Event) -> None:
        """Process one event, and add a row if it completes a step."""
        from headway.study.tables import step_row  # rarely needed

        session = self.watched.monitor.session
        before = session.step_count
        self.watched.take(event)
        if session.step_count > before:
            self.rows.append(step_row(session.steps[-1], self.asked.content))


def _reported(key: tuple[str, str], one: _Run, source: Source, reader: str, asked: ScanOptions) -> Iterator[ScannedRun]:
    """The report of a run, if requested."""
    report = one.watched.report(key, source, reader)
    if _is_wanted(report, source, asked):
        report = masked(report) if asked.content else without_content(report)
        timeline = one.watched.timeline
        drawn = (timeline.encoded(), timeline.encoded_outputs()) if timeline else (b"", b"")
        yield ScannedRun(report, *drawn, one.watched.worked() if asked.content else (), tuple(one.rows))


def _in_batches(events: Iterator[Event]) -> Iterator[Event]:
    """The same events, read in batches. This uses the CPU's caches better: a tenth faster."""
    return chain.from_iterable(iter(lambda: list(islice(events, BATCH)), []))


def _is_called(agent: str, name: str) -> bool:
    return fnmatchcase(agent, name) or agent == program_name(name)


def _is_wanted(report: RunReport, source: Source, asked: ScanOptions) -> bool:
    if asked.agents and not any(_is_called(report.agent.lower(), name.lower()) for name in asked.agents):
        return False
    if asked.since is None:
        return True
    when = report.ended_at if day_of(report.ended_at) else source.last_changed
    return when is None or when >= asked.since
