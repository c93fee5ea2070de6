"""Keeps the recent sessions for the dashboard up to date from the database.

While a dashboard is open, one thread checks several times a second whether the database has changed. Only sessions with
a new revision are read again. All dashboards get their updates from here, so many of them load the database no more
than one.
"""

import hashlib
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from headway.serve.spending import Spending, SpendingReader
from headway.store.errors import NewerDatabaseError
from headway.store.faults import note_once
from headway.store.overview import KeptStep, SessionOverview, changed_sessions, open_database, steps_of
from headway.store.place import database
from headway.store.sessions import NO_FILE, file_at
from headway.store.states import open_finding, state_of

CHECK_SECONDS = 0.25
SHOWN_FOR_SECONDS = 7 * 86_400.0
MOST_SHOWN = 500
STEPS_IN_SUMMARY = 10
MAX_COST_POINTS = 500

Summary = dict[str, Any]


class Board:
    """The summaries of all sessions, and the listeners for changes."""

    def __init__(self) -> None:
        self.sessions: dict[str, Summary] = {}
        self.listeners: set[Callable[[Summary], None]] = set()
        """Called with each change, from the board's thread."""
        self._file = NO_FILE
        self._revisions: dict[int, int] = {}
        self._known: dict[int, SessionOverview] = {}
        self._cells: dict[int, list[KeptStep]] = {}
        self._summaries: dict[int, tuple[tuple[int, str, Spending], Summary]] = {}
        """Each with its revision, state and spending when it was made."""
        self._trails: dict[int, deque[tuple[float, float | None]]] = {}
        """The cost of each session over time, while the service was running."""
        self.spending = SpendingReader(self._transcripts, self.wake)
        self._wake = threading.Event()
        self._is_over = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._work, name="board", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()
        self.spending.start()

    def stop(self) -> None:
        """Stop the thread."""
        self.spending.stop()
        self._is_over = True
        self._wake.set()
        self._thread.join()

    def wake(self) -> None:
        """Check now, because a person has given an order."""
        self._wake.set()

    def _work(self) -> None:
        while not self._is_over:
            self._wake.wait(CHECK_SECONDS)
            self._wake.clear()
            if self.listeners:
                self.look()

    def look(self) -> None:
        """Read what has changed, and call the listeners."""
        with self._lock:
            try:
                self._read()
            except NewerDatabaseError as error:
                note_once("the dashboard shows nothing new", str(error))
            except sqlite3.Error:  # busy or damaged: the next check, or the next event, handles it
                return
            now = time.time()
            shown = {_id(one): self._summary(number, one, now) for number, one in self._known.items()}
            changed = [one for id, one in shown.items() if one is not self.sessions.get(id)]
            gone = [id for id in self.sessions if id not in shown]
            self.sessions = shown
        if changed or gone:
            for listener in tuple(self.listeners):
                listener({"changed": changed, "gone": gone})

    def _read(self) -> None:
        if (file := file_at(database())) != self._file:  # the earlier file was damaged or deleted
            self._file, self._revisions, self._known, self._summaries, self._trails = file, {}, {}, {}, {}
        if file == NO_FILE:
            return
        with closing(open_database(database())) as connection:
            since = time.time() - SHOWN_FOR_SECONDS
            found, changed = changed_sessions(connection, self._revisions, since=since, limit=MOST_SHOWN)
            self._cells |= {number: steps_of(connection, number, latest=STEPS_IN_SUMMARY) for number in changed}
            self._known |= changed
        for gone in [number for number in self._known if number not in found]:
            del self._known[gone], self._cells[gone]
            self._trails.pop(gone, None)
            self._summaries.pop(gone, None)
        self._revisions = found

    def _summary(self, number: int, one: SessionOverview, now: float) -> Summary:
        """The summary of a session; the same object as before if nothing has changed."""
        recorded = None if one.agent else self.spending.known.get(one.transcript)  # a recording is the main agent's
        spent = recorded or Spending(one.tokens or 0, one.cost_usd)
        key = (one.revision, state_of(one, now), spent)
        before = self._summaries.get(number)
        if before is not None and before[0] == key:
            return before[1]
        self._trails.setdefault(number, deque(maxlen=MAX_COST_POINTS)).append((now, spent.cost_usd))
        told: Summary = summary(one, self._cells[number], now) | msgspec.to_builtins(spent)
        self._summaries[number] = key, told
        return told

    def _transcripts(self) -> list[str]:
        """The recordings of main agents that may still grow, or were not read yet."""
        with self._lock:
            known = self.spending.known
            return [one.transcript for one in self._known.values() if not one.agent
                    and (not one.ended or one.transcript not in known)]  # fmt: skip

    def detail(self, id: str, after: int = 0) -> Summary | None:
        """One session with its steps after a number, its findings and decisions; None if there is none."""
        with self._lock:
            found = next((pair for pair in self._known.items() if _id(pair[1]) == id), None)
        if found is None:
            return None
        number, one = found
        with closing(open_database(database())) as connection:
            steps = steps_of(connection, number, after=after)
        told: Summary = msgspec.to_builtins({"findings": one.findings, "decisions": one.decisions, "timeline": steps})
        return self.sessions[id] | told | {"trail": list(self._trails.get(number, ()))}

    def overviews(self) -> list[SessionOverview]:
        """All sessions, as stored."""
        with self._lock:
            return list(self._known.values())

    def overview(self, id: str) -> SessionOverview | None:
        """One session, as stored, for a person's orders."""
        with self._lock:
            return next((one for one in self._known.values() if _id(one) == id), None)


def _id(session: SessionOverview) -> str:
    """The id of a session in addresses: the same in every service, at any time."""
    name = "\0".join((session.host, session.session, session.agent))
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def summary(session: SessionOverview, cells: list[KeptStep], now: float) -> Summary:
    """One session in the list."""
    told: Summary = msgspec.to_builtins(session)
    decisions, found = told.pop("decisions"), open_finding(session)
    del told["findings"], told["transcript"]
    return told | {
        "id": _id(session),
        "project": Path(session.cwd).name,
        "state": state_of(session, now),
        "cells": msgspec.to_builtins(cells),
        "finding": msgspec.to_builtins(found),
        "decision": decisions[0] if decisions else None,
    }
