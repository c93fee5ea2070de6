"""Runs work in several processes of this machine.

Only a few items are in progress at any moment, so memory does not grow with their number. If a process dies, the whole
pool breaks, and it is unknown which item was at fault. So the oldest item is retried alone in its own process, and the
others go to new processes. The processes have a folder for their temporary files, because one that is killed cannot
remove its own.
"""

import os
import signal
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from typing import Any

from headway.study.engines import MAX_ATTEMPTS, Common, Failure, Item, Result, failure
from headway.study.processes import importing_nothing_here

ITEMS_PER_PROCESS = 3
DIED = "the process that read it died, perhaps for lack of memory"


class LocalEngine:
    """A pool of processes. Results are in the order of the items."""

    def __init__(self, workers: int, tries: int = MAX_ATTEMPTS) -> None:
        self.workers = workers
        self._tries = tries
        self._pool = _Processes(workers)

    def run(
        self, work: Callable[[Item, Common], Result], items: Iterable[Item], common: Common
    ) -> Iterator[tuple[Item, Result | Failure]]:
        """The result of each item, in order."""
        waiting = iter(items)
        under_way: deque[tuple[Item, Future[Result]]] = deque()
        try:
            while True:
                while len(under_way) < self.workers * ITEMS_PER_PROCESS and (item := next(waiting, None)) is not None:
                    under_way.append((item, self._pool.submit(work, item, common)))
                if not under_way:
                    return
                item, future = under_way.popleft()
                try:
                    yield item, future.result()
                except BrokenProcessPool:
                    self._pool.end()
                    yield item, self._alone(work, item, common)
                    self._pool = _Processes(self.workers)
                    under_way = deque((item, self._pool.submit(work, item, common)) for item, _ in under_way)
                except Exception:  # the work itself failed; a network error may be gone the next time
                    yield item, self._alone(work, item, common)
        finally:
            for _, future in under_way:
                future.cancel()

    def close(self) -> None:
        """Kill the processes."""
        self._pool.end()

    def _alone(self, work: Callable[[Item, Common], Result], item: Item, common: Common) -> Result | Failure:
        """Retry an item in its own process."""
        why = Failure(DIED)
        for _ in range(self._tries - 1):
            process = _Processes(1)
            try:
                return process.submit(work, item, common).result()
            except BrokenProcessPool:
                why = Failure(DIED)
            except Exception as error:
                why = failure(error)
            finally:
                process.end()
        return why


class _Processes:
    """Some processes, which end when they are told to, or when their parent dies."""

    def __init__(self, count: int) -> None:
        self._others = set(active_children())
        self._temporary = tempfile.TemporaryDirectory(prefix="headway-", ignore_cleanup_errors=True)
        with importing_nothing_here():
            self._pool = ProcessPoolExecutor(count, get_context("spawn"), _prepare, (self._temporary.name,))

    def submit(self, work: Callable[..., Result], *arguments: Any) -> "Future[Result]":
        """Submit an item. A process that is started for it ignores Ctrl-C from the beginning."""
        with _without_ctrl_c(), importing_nothing_here():
            try:
                return self._pool.submit(work, *arguments)
            except BrokenProcessPool as error:  # it broke before the result was requested
                failed: Future[Result] = Future()
                failed.set_exception(error)
                return failed

    def end(self) -> None:
        """Kill the processes and wait until the pool has noticed. Otherwise it would print errors at exit."""
        for process in set(active_children()) - self._others:
            process.terminate()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._temporary.cleanup()


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Delay Ctrl-C for a moment. A process started meanwhile never gets it, and we get it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _prepare(temporary: str) -> None:
    """In each process: ignore Ctrl-C, put temporary files where the parent removes them, and end with the parent."""
    tempfile.tempdir = temporary
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
