"""Sends decisions to another OTLP endpoint, each as one log record."""

import sqlite3
import threading
import urllib.request
from contextlib import closing
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from headway.store.faults import note_once
from headway.store.overview import open_database
from headway.store.place import database
from headway.store.sessions import file_at

CHECK_SECONDS = 2.0
PATIENCE = 5.0
MOST_AT_ONCE = 500
_SEVERITY = {"nudge": (13, "WARN"), "block": (17, "ERROR"), "stop": (17, "ERROR"), "escalate": (17, "ERROR")}
_NEW = (
    "SELECT decisions.*, sessions.host, sessions.session, sessions.agent, sessions.cwd, sessions.model "
    "FROM decisions JOIN sessions ON sessions.id = session_id WHERE decisions.id > ? ORDER BY decisions.id LIMIT ?"
)


class Upstream:
    """Sends new decisions. What could not be sent is sent the next time."""

    def __init__(self, endpoint: str) -> None:
        self.url = endpoint.rstrip("/").removesuffix("/v1/logs") + "/v1/logs"
        self._file, self._sent = file_at(database()), self._latest()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._work, name="upstream", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Send what is left, then stop."""
        self._is_over.set()
        self._thread.join()

    def _work(self) -> None:
        while True:
            is_last = self._is_over.wait(CHECK_SECONDS)
            try:
                self.send()
            except (OSError, HTTPException, sqlite3.Error) as error:
                note_once("findings could not be sent", f"{urlsplit(self.url).netloc}: {type(error).__name__}")
            if is_last:
                return

    def send(self) -> int:
        """Send new decisions; returns how many."""
        if not Path(database()).exists():
            return 0
        if (file := file_at(database())) != self._file:  # the earlier file was damaged or deleted
            self._file, self._sent = file, 0
        with closing(open_database(database())) as connection:
            rows = connection.execute(_NEW, (self._sent, MOST_AT_ONCE)).fetchall()
        if rows:
            body = msgspec.json.encode(as_request([dict(row) for row in rows]))
            request = urllib.request.Request(self.url, body, {"Content-Type": "application/json"})  # noqa: S310
            with urllib.request.urlopen(request, timeout=PATIENCE):  # noqa: S310, checked at the start
                self._sent = rows[-1]["id"]
        return len(rows)

    def _latest(self) -> int:
        """The id of the latest decision. Only later ones are sent."""
        if not Path(database()).exists():
            return 0
        with closing(open_database(database())) as connection:
            return int(connection.execute("SELECT coalesce(max(id), 0) FROM decisions").fetchone()[0])


def as_request(decisions: list[dict[str, Any]]) -> dict[str, Any]:
    """Decisions as an OTLP request in JSON."""
    service = [_pair("service.name", "headway")]
    records = [_record(one) for one in decisions]
    scope = {"scope": {"name": "headway"}, "logRecords": records}
    return {"resourceLogs": [{"resource": {"attributes": service}, "scopeLogs": [scope]}]}


def _record(one: dict[str, Any]) -> dict[str, Any]:
    number, name = _SEVERITY.get(one["action"], (9, "INFO"))
    told = {
        "headway.detector": one["reason"],
        "headway.action": one["action"],
        "headway.done": not one["would"],
        "headway.step": one["step"],
        "gen_ai.conversation.id": one["session"],
        "gen_ai.agent.id": one["agent"],
        "gen_ai.request.model": one["model"],
        "headway.program": one["host"],
        "headway.folder": one["cwd"],
    }
    return {
        "timeUnixNano": str(int(one["at"] * 1e9)),
        "eventName": "headway.decision",
        "severityNumber": number,
        "severityText": name,
        "body": {"stringValue": one["message"]},
        "attributes": [_pair(key, value) for key, value in told.items() if value not in (None, "")],
    }


def _pair(name: str, value: object) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"key": name, "value": {"boolValue": value}}
    if isinstance(value, int):
        return {"key": name, "value": {"intValue": str(value)}}
    return {"key": name, "value": {"stringValue": str(value)}}
