"""Live sessions in SQLite: made, kept, listed, pruned."""

import os
import sqlite3
import threading
import time

import pytest

from headway import Finding, Severity
from headway.store import sessions
from headway.store.errors import SCHEMA_VERSION, NewerDatabaseError, is_damage
from headway.store.migrate import migrations
from headway.store.overview import list_sessions
from headway.store.sessions import SessionStore

KEY = ("claude-code", "s1", "")


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(tmp_path))
    return tmp_path / "sessions.db"


def opened() -> SessionStore:
    store = SessionStore()
    store.prepare()
    return store


def kept(store: SessionStore, key=KEY, **values) -> None:
    store.begin()
    store.keep(store.find(key), key, **{"cwd": "/p", "monitor": b"m", **values})
    store.commit()


def test_what_is_kept_is_found_again_and_listed(path):
    store = opened()
    row = store.find(KEY)
    assert (None, {}, "continue", None) == (row.id, row.notes, row.verdict, row.monitor)
    row.notes["x"] = [1]
    store.begin()
    store.keep(row, KEY, cwd="/p", steps=3, last_tool="Bash", verdict="nudge", monitor=b"bytes", route="claude-code")
    finding = Finding(detector="d", severity=Severity.HIGH, confidence=0.9, message="seen", identity="i")
    store.record_findings(row, [finding], 2)
    store.record_findings(row, [finding], 3)
    store.record_decision(row, 3, "nudge", "d", "seen")
    store.commit()
    store.close()

    found = opened().find(KEY)
    (one,) = list_sessions()

    assert ({"x": [1]}, b"bytes", "claude-code") == (found.notes, found.monitor, found.route)
    assert ("claude-code", "s1", "", "/p", 3, "Bash", "nudge", False) == (
        one.host, one.session, one.agent, one.cwd, one.steps, one.last_tool, one.verdict, one.ended,
    )  # fmt: skip
    assert [("d", "i", "high", 2, 3, 2)] == [
        (f.detector, f.identity, f.severity, f.first_step, f.last_step, f.occurrences) for f in one.findings
    ]
    assert [(3, "nudge", "d", "seen")] == [(d.step, d.action, d.reason, d.message) for d in one.decisions]


def test_without_a_database_there_are_no_sessions(path):
    assert [] == list_sessions()
    path.touch()
    assert [] == list_sessions()


def test_a_row_that_somebody_else_wrote_is_not_current(path):
    mine, other = opened(), opened()
    kept(other)
    row = mine.find(KEY)
    assert mine.is_current(row, KEY)

    other.begin()
    other.keep_notes(other.find(KEY))
    other.commit()

    assert not mine.is_current(row, KEY)


def test_two_writers_never_fail_on_each_other(path):
    """`BEGIN IMMEDIATE` waits; what one wrote the other sees."""
    opened().close()
    faults = []

    def count_up() -> None:
        try:
            store = opened()
            for _ in range(100):
                store.begin()
                row = store.find(KEY)
                row.notes["n"] = row.notes.get("n", 0) + 1
                store.keep(row, KEY)
                store.commit()
            store.close()
        except sqlite3.Error as error:
            faults.append(error)

    threads = [threading.Thread(target=count_up) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [] == faults
    assert 400 == opened().find(KEY).notes["n"]


def test_old_sessions_are_forgotten_and_what_they_found_with_them(path, monkeypatch):
    monkeypatch.setattr(sessions, "KEPT_SESSIONS", 3)
    store = opened()
    for number in range(5):
        key = ("codex", f"s{number}", "")
        kept(store, key)
        store.record_decision(store.find(key), 1, "nudge", "d", "m")
        time.sleep(0.01)

    assert ["s4", "s3", "s2"] == [one.session for one in list_sessions()]
    assert 3 == store.connection.execute("SELECT count(*) FROM decisions").fetchone()[0]


def test_the_memory_of_a_session_that_nobody_takes_up_is_dropped_first(path):
    store = opened()
    kept(store, ("codex", "old", ""))
    kept(store, ("codex", "ancient", ""))
    store.connection.execute("UPDATE sessions SET seen_at = seen_at - 8 * 86400 WHERE session = 'old'")
    store.connection.execute("UPDATE sessions SET seen_at = seen_at - 31 * 86400 WHERE session = 'ancient'")

    kept(store)

    assert {"s1", "old"} == {one.session for one in list_sessions()}
    assert store.find(("codex", "old", "")).monitor is None and store.find(KEY).monitor == b"m"


def test_migrations_are_numbered_and_run_once(path):
    store = opened()
    kept(store)
    store.close()

    assert [number for number, _ in migrations()] == list(range(1, SCHEMA_VERSION + 1))
    assert b"m" == opened().find(KEY).monitor


def test_a_database_of_a_newer_version_is_left_as_it_is(path):
    store = opened()
    kept(store, written_by="7.5.0")
    store.connection.execute("ALTER TABLE sessions RENAME COLUMN steps TO moves")
    store.connection.execute("PRAGMA user_version = 99")
    store.close()
    before = path.read_bytes()

    for use in (opened, list_sessions):
        with pytest.raises(
            NewerDatabaseError,
            match=rf"written by Headway 7\.5\.0 with schema version 99; .* supports version {SCHEMA_VERSION}\.",
        ):
            use()

    assert before == path.read_bytes() and ["sessions.db"] == [file.name for file in path.parent.iterdir()]


def test_tables_without_a_version_are_damage(path):
    store = opened()
    store.connection.execute("PRAGMA user_version = 0")
    store.close()
    with pytest.raises(sqlite3.DatabaseError, match="it has tables, but no version") as error:
        opened()
    assert is_damage(error.value)


def test_a_damaged_database_is_not_put_over_an_earlier_one(path, monkeypatch):
    monkeypatch.setattr(sessions, "KEPT_DAMAGED", 3)
    for number in range(5):
        path.write_bytes(b"%d" % number)
        SessionStore().put_aside()
    kept_aside = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    assert {"sessions.db.damaged": b"0", "sessions.db.damaged-2": b"1", "sessions.db.damaged-3": b"4"} == kept_aside


@pytest.mark.skipif(os.getuid() != 0, reason="only the super-user can give a folder away")
def test_a_folder_of_somebody_else_is_refused(path):
    os.chown(path.parent, 12_345, -1)
    with pytest.raises(PermissionError, match="belongs to another user"):
        SessionStore()
    assert [] == list(path.parent.iterdir())


def test_the_journal_is_no_write_ahead_log(path):
    """Several processes write, and SQLite before 3.51.3 may damage a write-ahead log that is reset meanwhile."""
    assert "delete" == opened().connection.execute("PRAGMA journal_mode").fetchone()[0]


def test_a_database_of_the_version_before_is_read_as_it_is_and_then_brought_up_to_date(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.executescript(migrations()[0][1] + "PRAGMA user_version = 1;")
    connection.execute(
        "INSERT INTO sessions (host, session, started_at, seen_at, steps) VALUES ('codex', 's', 1, 2, 3)"
    )
    connection.execute("INSERT INTO decisions VALUES (1, 1, 3, 2.0, 'nudge', 'exact_cycle', 'Seen.')")
    connection.commit()
    connection.close()

    before = list_sessions()
    opened().close()

    assert before == list_sessions()
    (session,) = before
    assert (3, "", False) == (session.steps, session.prompt, session.decisions[0].would)
