"""Many recordings, scanned by several processes, given back in the order they came in.

Recordings are handed out in chunks of about equal size. If the process of a chunk dies, the recordings of the chunk are
scanned one by one, each in a process that may die again, and the one at fault is named.
"""

import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

import msgspec

from headway.core.run_report import ScannedFile, ScannedRun
from headway.readers import NothingReadableError, UnknownFormatError
from headway.sources import Source
from headway.store.fault_lines import faults_told
from headway.study.scan import Asked, scanned

if TYPE_CHECKING:
    from headway.study.engines.local import LocalEngine

CHUNK = 2_000_000
"""Bytes of recordings that are handed to a process at once, unless a single one is larger."""
MOST_FILES = 50
"""Recordings in one chunk."""
WORTH_IT = 6_000_000
"""Bytes below which a second process takes longer to start than it saves."""
DAY = 86_400.0

Chunk = tuple[Source, ...]
Scanned = tuple[list[ScannedFile], list[str]]
"""The result of a chunk, and the faults that were logged."""


def scan_all(sources: Sequence[Source], asked: Asked, jobs: int = 1) -> Iterator[ScannedFile]:
    """The result of each recording, in order, independent of the number of jobs."""
    if jobs <= 1 or len(sources) < 2 or sum(source.size for source in sources) < WORTH_IT:
        return (scan_one(source, asked) for source in sources)
    try:
        from headway.study.engines.local import LocalEngine  # most scans are of a few files

        engine = LocalEngine(jobs, tries=1)
    except (OSError, ImportError, NotImplementedError):  # some systems have no semaphores
        return (scan_one(source, asked) for source in sources)
    return _in_processes(engine, chunks(sources), asked)


def scan_one(source: Source, asked: Asked) -> ScannedFile:
    """One recording with its runs; whatever goes wrong with it is told, not raised."""
    runs: list[ScannedRun] = []
    for one in scan_each(source, asked):
        if isinstance(one, ScannedFile):
            return msgspec.structs.replace(one, runs=tuple(runs))
        runs.append(one)
    raise AssertionError("a recording ends with what there is to say about it")


def scan_each(source: Source, asked: Asked) -> Iterator[ScannedRun | ScannedFile]:
    """The runs of one recording one by one, and last the recording itself, without them."""
    size, name = source.size, source.name
    try:
        if asked.since is not None and (source.last_changed or asked.since) < asked.since - DAY:
            yield ScannedFile(name, size=size)  # nothing in it can be newer than the file itself
            return
        yield from scanned(source, asked)
        trouble = f"{name}: {source.broken_off}" if source.broken_off else ""
        yield ScannedFile(name, size=size, skipped_records=source.skipped, trouble=trouble, missing=source.missing)
    except UnknownFormatError as error:
        yield ScannedFile(name, size=size, passed_over=str(error))
    except NothingReadableError as error:
        yield ScannedFile(name, size=size, skipped_records=error.skipped, unread=str(error))
    except OSError as error:
        yield ScannedFile(name, size=size, trouble=f"{name}: {error.strerror or error}")
    except Exception as error:  # a fault of ours in one recording must not cost the user all the others
        why = f"{name}: Headway failed on it ({type(error).__name__}: {error}); please report this"
        yield ScannedFile(name, size=size, trouble=why)
    finally:
        source.close()


def chunks(sources: Iterable[Source]) -> Iterator[Chunk]:
    """Neighbouring recordings together, up to a size."""
    chunk: list[Source] = []
    size = 0
    for source in sources:
        chunk.append(source)
        size += source.size
        if size >= CHUNK or len(chunk) >= MOST_FILES:
            yield tuple(chunk)
            chunk, size = [], 0
    if chunk:
        yield tuple(chunk)


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _in_processes(engine: "LocalEngine", waiting: Iterator[Chunk], asked: Asked) -> Iterator[ScannedFile]:
    from headway.study.engines import Failure

    with closing(engine):
        for chunk, result in engine.run(_scan_chunk, waiting, asked):
            if isinstance(result, Failure):
                yield from _one_by_one(chunk, asked)
            else:
                yield from _received(result)


def _one_by_one(chunk: Chunk, asked: Asked) -> Iterator[ScannedFile]:
    """Scan each recording in a process that may die of it."""
    from headway.study.engines import Failure
    from headway.study.engines.local import LocalEngine

    with closing(LocalEngine(1, tries=1)) as engine:
        for (source,), result in engine.run(_scan_chunk, ((source,) for source in chunk), asked):
            if isinstance(result, Failure):
                why = f"{source.name}: {result.why}; it was left out"
                yield ScannedFile(source.name, size=source.size, trouble=why)
            else:
                yield from _received(result)


def _scan_chunk(chunk: Chunk, asked: Asked) -> Scanned:
    faults: list[str] = []
    with faults_told(faults.append):
        return [scan_one(source, asked) for source in chunk], faults


def _received(result: Scanned) -> list[ScannedFile]:
    """The result of another process. Its log records are logged here, where duplicates are known."""
    files, faults = result
    log_faults(faults)
    return files


def log_faults(faults: Iterable[str]) -> None:
    """Log what another process would have logged."""
    for fault in faults:
        logging.getLogger("headway").error("%s", fault)
