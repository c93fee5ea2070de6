"""Processes all events in one thread, like `headway hook` in a process of its own, but with sessions in memory.

Events that arrive together share a transaction. If that fails, each is processed alone, exactly as in a hook process,
which waits for a busy database, moves a damaged one aside, and queues an event that has to wait.
"""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from headway import __version__
from headway.hosts.hook.call import Request, judge, read_request, take_in, take_in_waiting
from headway.hosts.hook.event import HookReply, NotUnderstoodError
from headway.hosts.hook.notes import Notes
from headway.store.errors import NewerDatabaseError
from headway.store.faults import NOT_UNDERSTOOD, note_fault, note_once
from headway.store.queue import waiting
from headway.store.warm import WarmStore

MAX_EVENTS_PER_TRANSACTION = 64


class Answer(NamedTuple):
    """What is sent back to the hook."""

    body: bytes = b""
    interrupts: bool = False
    """Whether the client should interrupt the agent."""
    failed: bool = False
    """Whether the service could not process the event, so that the client has to."""


class Asked(NamedTuple):
    """One event, and the function that takes the answer."""

    raw: bytes
    arguments: Sequence[str]
    id: str
    reply: Callable[[Answer], None]
    at: float


class Task(NamedTuple):
    """Other work on the database, and the function to call afterwards."""

    work: Callable[[WarmStore], None]
    done: Callable[[BaseException | None], None]
    """Called with the error, or None."""


class Judge:
    """Processes events in batches, in its own thread."""

    def __init__(self, answered: Callable[[float], None]) -> None:
        self._queue: SimpleQueue[Asked | Task | None] = SimpleQueue()
        self._store: WarmStore | None = None
        self._answered = answered
        """Called with the seconds from the arrival of each event to its answer."""
        self._thread = threading.Thread(target=self._work, name="judge", daemon=True)
        self._apart = ThreadPoolExecutor(4, "judge apart")

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Process what has arrived so far, then stop."""
        self._queue.put(None)
        self._thread.join()

    def ask(self, raw: bytes, arguments: Sequence[str], id: str, reply: Callable[[Answer], None]) -> None:
        """Process an event later; `reply` is called from the judge's thread."""
        self._queue.put(Asked(raw, arguments, id, reply, time.perf_counter()))

    def do(self, work: Callable[[WarmStore], None], done: Callable[[BaseException | None], None]) -> None:
        """Do something with the database later, in a transaction; `done` is called from the judge's thread."""
        self._queue.put(Task(work, done))

    def _work(self) -> None:
        while (first := self._queue.get()) is not None:
            found = [first, *self._more()]
            batch = [one for one in found if isinstance(one, Asked)]
            for asked, answer in zip(batch, self._answers(batch), strict=True):
                if answer is not None:
                    self._reply(asked, answer)
            for task in found:
                if isinstance(task, Task):
                    _tell(task.done, self._failure_of(task))
        self._apart.shutdown()
        self._close()

    def _reply(self, asked: Asked, answer: Answer) -> None:
        self._answered(time.perf_counter() - asked.at)
        _tell(asked.reply, answer)

    def _more(self) -> Iterator[Asked | Task]:
        """What else has arrived by now."""
        for _ in range(MAX_EVENTS_PER_TRANSACTION - 1):
            try:
                found = self._queue.get_nowait()
            except Empty:
                return
            if found is None:
                self._queue.put(None)
                return
            yield found

    def _failure_of(self, task: Task) -> BaseException | None:
        try:
            store = self._opened()
            with store.transaction():
                task.work(store)
        except BaseException as error:
            self._close()
            return error
        return None

    def _opened(self) -> WarmStore:
        """The database, opened again if another file is in its place."""
        if self._store is not None and not self._store.is_in_place():
            self._close()
        self._store = self._store or WarmStore()
        return self._store

    def _answers(self, batch: list[Asked]) -> list[Answer | None]:
        """The answers to some events; None for those that are answered later."""
        requests = [self._unless_it_waits(asked, _read(asked)) for asked in batch]
        try:
            said = self._together([request for request in requests if isinstance(request, Request)])
        except BaseException as error:
            if not isinstance(error, sqlite3.Error):
                note_fault("serve", error)
            self._close()
            return [_alone(asked) if isinstance(request, Request) else request
                    for asked, request in zip(batch, requests, strict=True)]  # fmt: skip
        replies = iter(said)
        return [_answer(request, next(replies)) if isinstance(request, Request) else request for request in requests]

    def _together(self, requests: list[Request]) -> list[HookReply | None]:
        if not requests:
            return []
        if waiting():
            take_in_waiting()
        store = self._opened()
        with store.transaction():
            return [judge(store, request.host, request.hook_event, request.route) for request in requests]

    def _unless_it_waits(self, asked: Asked, request: Request | Answer) -> Request | Answer | None:
        """None for an event that may have to wait for its agent (a patch of Codex), so that others do not wait."""
        if self._store is None or not isinstance(request, Request):
            return request
        row = self._store.rows.get((request.host.name, request.hook_event.session, request.hook_event.agent))
        if row is None or not Notes(row.notes).unreported:
            return request
        self._apart.submit(lambda: self._reply(asked, _alone(asked)))
        return None

    def _close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None


def _tell(reply: Callable[[Any], None], what: object) -> None:
    try:
        reply(what)
    except Exception as error:  # the judge continues even if the client has gone
        note_fault("serve", error)


def _answer(request: Request, said: HookReply | None) -> Answer:
    try:
        return Answer(request.answer(said), request.interrupts(said))
    except Exception as error:
        note_fault("serve", error)
        return Answer()


def _read(asked: Asked) -> Request | Answer:
    """The request; or an answer, if there is nothing to process."""
    try:
        return read_request(asked.raw, asked.arguments, asked.id) or Answer()
    except NotUnderstoodError as error:
        note_once(f"{NOT_UNDERSTOOD}{error} (Headway {__version__})")
    except BaseException as error:
        note_fault("serve", error)
    return Answer()


def _alone(asked: Asked) -> Answer:
    """Process one event as a hook process does."""
    try:
        request = read_request(asked.raw, asked.arguments, asked.id)  # the request from before may be partly processed
        return Answer() if request is None else _answer(request, take_in(request))
    except NewerDatabaseError as error:
        note_once("the database was left alone", str(error))
    except BaseException as error:
        note_fault("serve", error)
    return Answer(failed=True)
