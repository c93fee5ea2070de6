"""Scans many recordings with several processes, and returns the results in order.

Recordings are distributed in chunks of about equal size. The largest recordings come first, because the last one keeps
all other processes waiting. If the process of a chunk dies, its recordings are scanned one
by one, each in its own process, and the one at fault is named.
"""

import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from headway.core.run_report import ScannedFile
from headway.sources import Source
from headway.store.fault_lines import faults_told
from headway.study.scan import ScanOptions, collected_rarely, scan_one

if TYPE_CHECKING:
    from headway.study.engines import Failure
    from headway.study.engines.local import LocalEngine

CHUNK = 2_000_000
"""Maximum bytes of recordings in one chunk, unless a single recording is larger."""
MAX_FILES_PER_CHUNK = 50
LARGE = 2 * CHUNK
"""Bytes of a chunk that is scanned early: it holds one large recording."""
MAX_EARLY = 8
"""Maximum number of chunks whose results wait for their turn."""

Chunk = tuple[Source, ...]
Scanned = tuple[list[ScannedFile], list[str]]
"""The result of a chunk, and the faults that were logged."""


def in_processes(sources: Sequence[Source], asked: ScanOptions, jobs: int) -> Iterator[ScannedFile]:
    """The result of each recording, in order, independent of the number of jobs."""
    if jobs > 1:
        try:
            from headway.study.engines.local import LocalEngine

            return _run(LocalEngine(jobs, tries=1), list(chunks(sources)), asked)
        except (OSError, ImportError, NotImplementedError):  # some systems have no semaphores
            pass
    return (scan_one(source, asked) for source in sources)


def chunks(sources: Iterable[Source]) -> Iterator[Chunk]:
    """Group neighbouring recordings, up to a size."""
    chunk: list[Source] = []
    size = 0
    for source in sources:
        chunk.append(source)
        size += source.size
        if size >= CHUNK or len(chunk) >= MAX_FILES_PER_CHUNK:
            yield tuple(chunk)
            chunk, size = [], 0
    if chunk:
        yield tuple(chunk)


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def largest_first(waiting: Sequence[Chunk]) -> list[int]:
    """The places of the chunks in the order in which they are scanned: a few large ones, then the others in order."""
    sizes = [sum(source.size for source in chunk) for chunk in waiting]
    large = sorted((place for place, size in enumerate(sizes) if size >= LARGE), key=lambda place: -sizes[place])
    early = large[:MAX_EARLY]
    return early + sorted(set(range(len(waiting))) - set(early))


def _run(engine: "LocalEngine", waiting: Sequence[Chunk], asked: ScanOptions) -> Iterator[ScannedFile]:
    """The results in the order of the chunks. Those of chunks that were scanned early wait for their turn."""
    order = largest_first(waiting)
    early: dict[int, list[ScannedFile]] = {}
    turn = 0
    with closing(engine):
        results = engine.run(_scan_chunk, (waiting[place] for place in order), asked)
        for place, (chunk, result) in zip(order, results, strict=True):
            early[place] = _files(chunk, result, asked)
            while turn in early:
                yield from early.pop(turn)
                turn += 1


def _files(chunk: Chunk, result: "Scanned | Failure", asked: ScanOptions) -> list[ScannedFile]:
    from headway.study.engines import Failure

    return list(_one_by_one(chunk, asked)) if isinstance(result, Failure) else _received(result)


def _one_by_one(chunk: Chunk, asked: ScanOptions) -> Iterator[ScannedFile]:
    """Scan each recording in its own process, which may die."""
    from headway.study.engines import Failure
    from headway.study.engines.local import LocalEngine

    with closing(LocalEngine(1, tries=1)) as engine:
        for (source,), result in engine.run(_scan_chunk, ((source,) for source in chunk), asked):
            if isinstance(result, Failure):
                why = f"{source.name}: {result.why}; it was left out"
                yield ScannedFile(source.name, size=source.size, trouble=why)
            else:
                yield from _received(result)


def _scan_chunk(chunk: Chunk, asked: ScanOptions) -> Scanned:
    faults: list[str] = []
    with faults_told(faults.append), collected_rarely():
        return [scan_one(source, asked) for source in chunk], faults


def _received(result: Scanned) -> list[ScannedFile]:
    """The result of another process. Its faults are logged here, where duplicates are recognised."""
    files, faults = result
    log_faults(faults)
    return files


def log_faults(faults: Iterable[str]) -> None:
    """Log the faults of another process."""
    for fault in faults:
        logging.getLogger("headway").error("%s", fault)
