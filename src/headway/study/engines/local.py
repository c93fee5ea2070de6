"""The processes of this machine.

Only a few items are under way at any moment, so memory does not grow with their number. A process that dies breaks the
whole pool, and it is unknown which item it died of. So the oldest item is then tried again alone, in a process that
may die again, and the others are handed to new processes.
"""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from typing import Any

from headway.study.engines import TRIES, Common, Failure, Item, Result, failure
from headway.study.processes import importing_nothing_here

AHEAD = 3
"""Items under way for each process."""
DIED = "the process that read it died, perhaps for lack of memory"


class LocalEngine:
    """A pool of processes. Results come in the order of the items."""

    def __init__(self, workers: int, tries: int = TRIES) -> None:
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
                while len(under_way) < self.workers * AHEAD and (item := next(waiting, None)) is not None:
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
                except Exception:  # the work itself failed: the network may be back the next time
                    yield item, self._alone(work, item, common)
        finally:
            for _, future in under_way:
                future.cancel()

    def close(self) -> None:
        """End the processes at once."""
        self._pool.end()

    def _alone(self, work: Callable[[Item, Common], Result], item: Item, common: Common) -> Result | Failure:
        """Try an item again, in a process of its own."""
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
    """Some processes, which end when they are told to, and when their parent dies."""

    def __init__(self, count: int) -> None:
        self._others = set(active_children())
        with importing_nothing_here():
            self._pool = ProcessPoolExecutor(count, get_context("spawn"), _prepare)

    def submit(self, work: Callable[..., Result], *arguments: Any) -> "Future[Result]":
        """Hand out an item. A process that is started for it ignores Ctrl-C from its first moment."""
        with _without_ctrl_c(), importing_nothing_here():
            try:
                return self._pool.submit(work, *arguments)
            except BrokenProcessPool as error:  # it broke before the result was asked for
                failed: Future[Result] = Future()
                failed.set_exception(error)
                return failed

    def end(self) -> None:
        """End them at once, whatever they are doing, and wait until the pool has noticed: at exit it would complain."""
        for process in set(active_children()) - self._others:
            process.terminate()
        self._pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Hold Ctrl-C back for a moment: a process started meanwhile never gets it, and we get it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _prepare() -> None:
    """In each process: leave Ctrl-C to the parent, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
