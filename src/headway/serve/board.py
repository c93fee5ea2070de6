"""All sessions of late as the dashboard shows them, kept up to date from the database.

One thread looks whether the database has changed: at once when this service has written, else a few times a second.
Only sessions with a new revision are read again. `GET /api/sessions` and `/api/events` are answered from here, so any
number of dashboards costs the database nothing.
"""

import hashlib
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from headway.store.errors import NewerDatabaseError
from headway.store.faults import note_once
from headway.store.overview import KeptStep, SessionOverview, changed_sessions, open_database, steps_of
from headway.store.place import database

LOOKS = 0.25
"""Seconds between two looks at the database."""
SHOWN_FOR = 7 * 86_400.0
"""Seconds after which an inactive session is no longer shown."""
MOST_SHOWN = 500
CELLS = 10
"""Number of latest steps in the summary of a session."""
IDLE_AFTER = 120.0

Summary = dict[str, Any]


class Board:
    """The summaries of all sessions, and who wants to hear about changes."""

    def __init__(self) -> None:
        self.sessions: dict[str, Summary] = {}
        self.listeners: set[Callable[[Summary], None]] = set()
        """Each is called with a change, from the thread of the board."""
        self._revisions: dict[int, int] = {}
        self._known: dict[int, SessionOverview] = {}
        self._cells: dict[int, list[KeptStep]] = {}
        self._wake = threading.Event()
        self._is_over = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._work, name="board", daemon=True)

    def start(self) -> None:
        """Look once, and then again and again."""
        self.look()
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
        self._is_over = True
        self._wake.set()
        self._thread.join()

    def wake(self) -> None:
        """Look now: something was written."""
        self._wake.set()

    def _work(self) -> None:
        while not self._is_over:
            self._wake.wait(LOOKS)
            self._wake.clear()
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
            shown = {_id(one): summary(one, self._cells[number], now) for number, one in self._known.items()}
            changed = [one for id, one in shown.items() if one != self.sessions.get(id)]
            gone = [id for id in self.sessions if id not in shown]
            self.sessions = shown
        if changed or gone:
            for listener in tuple(self.listeners):
                listener({"changed": changed, "gone": gone})

    def _read(self) -> None:
        if not Path(database()).exists():
            self._revisions, self._known = {}, {}
            return
        with closing(open_database(database())) as connection:
            since = time.time() - SHOWN_FOR
            found, changed = changed_sessions(connection, self._revisions, since=since, limit=MOST_SHOWN)
            self._cells |= {number: steps_of(connection, number, latest=CELLS) for number in changed}
            self._known |= changed
        for gone in [number for number in self._known if number not in found]:
            del self._known[gone], self._cells[gone]
        self._revisions = found

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
        return self.sessions[id] | told

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
    findings, decisions = told.pop("findings"), told.pop("decisions")
    return told | {
        "id": _id(session),
        "project": Path(session.cwd).name,
        "state": state_of(session, now),
        "cells": msgspec.to_builtins(cells),
        "finding": findings[0] if findings else None,
        "decision": decisions[0] if decisions else None,
    }


def state_of(session: SessionOverview, now: float) -> str:
    """What a session is doing: needs you, looping, working, idle or done."""
    if session.ended:
        return "done"
    if session.verdict in ("stop", "escalate"):
        return "needs you"
    if session.verdict in ("nudge", "block"):
        return "looping"
    return "working" if now - session.seen_at < IDLE_AFTER else "idle"
