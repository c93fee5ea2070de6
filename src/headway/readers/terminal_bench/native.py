"""Sessions that agents leave in a trial in a format of their own; the readers of those formats read them."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from headway.core.events import Event
from headway.sources import Source, UnreadableError, may_be_recording
from headway.sources.source import LARGEST

_LOGS, _PRINTED = "agent-logs", "sessions/agent.log"
_EPISODE = "episode-"
"""Folders in which Terminus keeps what it sent and got, once more and in part."""
_MOST = 500
"""Files that are looked at."""
_LINES = 20_000
"""Printed lines of a session that are read."""


def native_events(trial: Source) -> Iterator[Event]:
    """The events of all sessions in files of their own; else of what was printed in the terminal as JSON.

    Of a session that is in several files, the first is read.
    """
    found: set[tuple[str, str]] = set()
    for source in _files(trial):
        earlier = frozenset(found)
        for event in _events(source, trial):
            if (event.run, event.agent) not in earlier:
                found.add((event.run, event.agent))
                yield event
    if not found:
        for source in _printed(trial):
            yield from _events(source, trial)


def _events(source: Source, trial: Source) -> Iterator[Event]:
    from headway.readers import UnknownFormatError, opened  # it has this reader, too

    try:
        _, stream = opened(source)
    except (UnknownFormatError, UnreadableError):
        return
    yield from stream
    trial.count_in(source)


def _files(trial: Source) -> Iterator[Source]:
    logs = trial.path / _LOGS if trial.path else Path("-")
    for file in sorted(islice(logs.rglob("*"), _MOST)):
        is_episode = any(part.startswith(_EPISODE) for part in file.relative_to(logs).parts)
        if not is_episode and file.is_file() and may_be_recording(file.name):
            yield Source(file, name=f"{trial.name}/{file.relative_to(logs.parent).as_posix()}")


def _printed(trial: Source) -> Iterator[Source]:
    if _PRINTED in trial.names:
        printed = trial.member(_PRINTED)
        lines = b"".join(islice((line for line in printed.lines() if line.startswith(b'{"')), _LINES))
        if 0 < len(lines) <= LARGEST:
            yield Source(content=lines, name=printed.name)
