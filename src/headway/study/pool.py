"""Many recordings, scanned by several processes, given back in the order they came in.

Recordings are handed out in chunks of about equal size. Only a few chunks are under way at any moment, so memory does
not grow with their number. A process that dies takes its chunk with it: the recordings of that chunk are then scanned
one by one, each in a process that may die again, and the one at fault is named.
"""

import logging
import os
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess

from headway.core.run_report import ScannedFile
from headway.readers import NothingReadableError, UnknownFormatError
from headway.sources import Source
from headway.store.fault_lines import faults_told
from headway.study.scan import Asked, last_changed, scanned

CHUNK = 2_000_000
"""Bytes of recordings that are handed to a process at once, unless a single one is larger."""
MOST_FILES = 50
"""Recordings in one chunk."""
WORTH_IT = 6_000_000
"""Bytes below which a second process takes longer to start than it saves."""
AHEAD = 3
"""Chunks under way for each process."""
SMALL_FILE = 2_000
"""Bytes of one file in a folder that is a recording, about."""
DAY = 86_400.0

Chunk = tuple[Source, ...]
Scanned = tuple[list[ScannedFile], list[str]]
"""The result of a chunk, and the faults that were logged."""


def scan_all(sources: Sequence[Source], asked: Asked, jobs: int = 1) -> Iterator[ScannedFile]:
    """The result of each recording, in order, independent of the number of jobs."""
    if jobs <= 1 or len(sources) < 2 or sum(map(size_of, sources)) < WORTH_IT:
        return (scan_one(source, asked) for source in sources)
    try:
        workers = _Workers(jobs)
    except (OSError, ImportError, NotImplementedError):  # some systems have no semaphores
        return (scan_one(source, asked) for source in sources)
    return _in_processes(chunks(sources), asked, jobs, workers)


def scan_one(source: Source, asked: Asked) -> ScannedFile:
    """One recording; whatever goes wrong with it is told, not raised."""
    size = size_of(source)
    if asked.since is not None and (last_changed(source) or asked.since) < asked.since - DAY:
        return ScannedFile(source.name, size=size)  # nothing in it can be newer than the file itself
    try:
        runs = tuple(scanned(source, asked))
        trouble = f"{source.name}: {source.broken_off}" if source.broken_off else ""
        return ScannedFile(source.name, runs, size, source.skipped, trouble=trouble, missing=source.missing)
    except UnknownFormatError as error:
        return ScannedFile(source.name, size=size, passed_over=str(error))
    except NothingReadableError as error:
        return ScannedFile(source.name, size=size, skipped_records=error.skipped, unread=str(error))
    except OSError as error:
        return ScannedFile(source.name, size=size, trouble=f"{source.name}: {error.strerror or error}")
    except Exception as error:  # a fault of ours in one recording must not cost the user all the others
        why = f"{source.name}: Headway failed on it ({type(error).__name__}: {error}); please report this"
        return ScannedFile(source.name, size=size, trouble=why)


def chunks(sources: Iterable[Source]) -> Iterator[Chunk]:
    """Neighbouring recordings together, up to a size."""
    chunk: list[Source] = []
    size = 0
    for source in sources:
        chunk.append(source)
        size += size_of(source)
        if size >= CHUNK or len(chunk) >= MOST_FILES:
            yield tuple(chunk)
            chunk, size = [], 0
    if chunk:
        yield tuple(chunk)


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def size_of(source: Source) -> int:
    """Bytes on disk, as far as they are quickly told; in a folder of small files, about."""
    try:
        if source.is_folder:
            return SMALL_FILE * len(source.names)
        return source.path.stat().st_size if source.path else 0
    except OSError:
        return 0


def _in_processes(waiting: Iterator[Chunk], asked: Asked, jobs: int, workers: "_Workers") -> Iterator[ScannedFile]:
    under_way: deque[tuple[Chunk, Future[Scanned]]] = deque()
    try:
        while True:
            while len(under_way) < jobs * AHEAD and (chunk := next(waiting, None)):
                under_way.append((chunk, workers.scan(chunk, asked)))
            if not under_way:
                return
            chunk, future = under_way.popleft()
            try:
                yield from _received(future)
            except BrokenProcessPool:
                workers.end()
                yield from _one_by_one(chunk, asked)
                workers = _Workers(jobs)
                under_way = deque((chunk, workers.scan(chunk, asked)) for chunk, _ in under_way)
    finally:
        workers.end()


def _one_by_one(chunk: Chunk, asked: Asked) -> Iterator[ScannedFile]:
    """Scan each recording in a process that may die of it."""
    for source in chunk:
        worker = _Workers(1)
        try:
            yield from _received(worker.scan((source,), asked))
        except BrokenProcessPool:
            why = f"{source.name}: the process that read it died, perhaps for lack of memory; it was left out"
            yield ScannedFile(source.name, size=size_of(source), trouble=why)
        finally:
            worker.end()


def _scan_chunk(chunk: Chunk, asked: Asked) -> Scanned:
    faults: list[str] = []
    with faults_told(faults.append):
        return [scan_one(source, asked) for source in chunk], faults


def _received(future: "Future[Scanned]") -> list[ScannedFile]:
    """The result of another process. Its log records are logged here, where duplicates are known."""
    files, faults = future.result()
    for fault in faults:
        logging.getLogger("headway").error("%s", fault)
    return files


class _Workers:
    """Some processes, which end when they are told to, and when their parent dies."""

    def __init__(self, jobs: int) -> None:
        self._others = set(active_children())
        self.pool = ProcessPoolExecutor(jobs, get_context("spawn"), _prepare)

    def scan(self, chunk: Chunk, asked: Asked) -> "Future[Scanned]":
        """Hand out a chunk. A process that is started for it is deaf to Ctrl-C from its first moment."""
        with _deaf_to_ctrl_c():
            try:
                return self.pool.submit(_scan_chunk, chunk, asked)
            except BrokenProcessPool as error:  # it broke before anybody asked for a result
                failed: Future[Scanned] = Future()
                failed.set_exception(error)
                return failed

    def end(self) -> None:
        """End them at once, whatever they are doing, and wait until the pool has noticed: at exit it would complain."""
        for process in set(active_children()) - self._others:
            process.terminate()
        self.pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Hold Ctrl-C back for a moment: what is started meanwhile never hears it, and we hear it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _prepare() -> None:
    """In each process: leave Ctrl-C to the parent, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
