"""All sessions of late as the dashboard shows them, kept up to date from the database.

While a dashboard is open, one thread looks a few times a second whether the database has changed. Only sessions with a
new revision are read again. All dashboards are told from here, so many of them cost the database no more than one.
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

LOOKS = 0.25
"""Seconds between two looks at the database."""
SHOWN_FOR = 7 * 86_400.0
"""Seconds after which an inactive session is no longer shown."""
MOST_SHOWN = 500
CELLS = 10
"""Number of latest steps in the summary of a session."""
TRAIL = 500
"""Points in time at which the cost of a session is remembered."""

Summary = dict[str, Any]


class Board:
    """The summaries of all sessions, and who wants to hear about changes."""

    def __init__(self) -> None:
        self.sessions: dict[str, Summary] = {}
        self.listeners: set[Callable[[Summary], None]] = set()
        """Each is called with a change, from the thread of the board."""
        self._file = NO_FILE
        self._revisions: dict[int, int] = {}
        self._known: dict[int, SessionOverview] = {}
        self._cells: dict[int, list[KeptStep]] = {}
        self._summaries: dict[int, tuple[tuple[int, str, Spending], Summary]] = {}
        """Each with what it was made from: the revision, the state, what was spent."""
        self._trails: dict[int, deque[tuple[float, float | None]]] = {}
        """When the cost of each session was how much, while the service was there to see it."""
        self.spending = SpendingReader(self._transcripts, self.wake)
        self._wake = threading.Event()
        self._is_over = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._work, name="board", daemon=True)

    def start(self) -> None:
        """Look again and again."""
        self._thread.start()
        self.spending.start()

    def stop(self) -> None:
        """Look no more."""
        self.spending.stop()
        self._is_over = True
        self._wake.set()
        self._thread.join()

    def wake(self) -> None:
        """Look now: a person has given an order."""
        self._wake.set()

    def _work(self) -> None:
        while not self._is_over:
            self._wake.wait(LOOKS)
            self._wake.clear()
            if self.listeners:
                self.look()

    def look(self) -> None:
        """Read what has changed, and tell it."""
        with self._lock:
            try:
                self._read()
            except NewerDatabaseError as error:
                note_once("the dashboard shows nothing new", str(error))
            except sqlite3.Error:  # busy or damaged: the next look, or the next event, takes care of it
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
        if (file := file_at(database())) != self._file:  # the one before was damaged, or deleted
            self._file, self._revisions, self._known, self._summaries, self._trails = file, {}, {}, {}, {}
        if file == NO_FILE:
            return
        with closing(open_database(database())) as connection:
            since = time.time() - SHOWN_FOR
            found, changed = changed_sessions(connection, self._revisions, since=since, limit=MOST_SHOWN)
            self._cells |= {number: steps_of(connection, number, latest=CELLS) for number in changed}
            self._known |= changed
        for gone in [number for number in self._known if number not in found]:
            del self._known[gone], self._cells[gone]
            self._trails.pop(gone, None)
            self._summaries.pop(gone, None)
        self._revisions = found

    def _summary(self, number: int, one: SessionOverview, now: float) -> Summary:
        """The summary of a session; the same object as before if nothing has changed."""
        recorded = None if one.agent else self.spending.known.get(one.transcript)  # it is the main agent's
        spent = recorded or Spending(one.tokens or 0, one.cost_usd)
        key = (one.revision, state_of(one, now), spent)
        before = self._summaries.get(number)
        if before is not None and before[0] == key:
            return before[1]
        self._trails.setdefault(number, deque(maxlen=TRAIL)).append((now, spent.cost_usd))
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
        """All sessions as the store tells them."""
        with self._lock:
            return list(self._known.values())

    def overview(self, id: str) -> SessionOverview | None:
        """One session as the store tells it, for a person's orders."""
        with self._lock:
            return next((one for one in self._known.values() if _id(one) == id), None)


def _id(session: SessionOverview) -> str:
    """The id of a session in addresses: the same in every service and at any time."""
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
