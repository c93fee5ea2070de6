"""The queue of events for other machines."""

import sqlite3

import pytest

from headway.store.outgoing import LARGEST, next_events, outgoing_counts, put, remove
from headway.store.sessions import SessionStore


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(tmp_path))
    store = SessionStore()
    store.prepare()
    yield store
    store.close()


def counted():
    counts = outgoing_counts()
    return counts.waiting, counts.bytes, counts.sent, counts.dropped


def queue(store, *events, most=1_000, lost=0):
    store.begin()
    put(store.connection, [("r/", event) for event in events], most, lost)
    store.commit()


def test_events_come_out_in_order_and_leave_when_they_are_removed(store):
    queue(store, b"one", b"two", b"three")
    rows = next_events(store.connection, 2)
    assert [("r/", b"one"), ("r/", b"two")] == [row[1:] for row in rows]
    assert (3, 11, 0, 0) == counted()
    remove(store.connection, [row[0] for row in rows])
    assert [b"three"] == [row[2] for row in next_events(store.connection, 9)]
    assert (1, 5, 2, 0) == counted()


def test_removing_twice_counts_once(store):
    queue(store, b"one")
    for _ in range(2):
        remove(store.connection, [1])
    assert (0, 0, 1, 0) == counted()


def test_what_does_not_fit_is_dropped_and_counted_and_what_waits_stays(store):
    queue(store, b"x" * 600)
    queue(store, b"y" * 600, b"z" * 400)
    assert (2, 1_000, 0, 1) == counted()
    assert [b"x" * 600, b"z" * 400] == [row[2] for row in next_events(store.connection, 9)]
    remove(store.connection, [1])
    queue(store, b"y" * 600)
    assert (2, 1_000, 1, 1) == counted()


def test_an_event_that_no_broker_takes_is_dropped(store):
    queue(store, b"x" * (LARGEST + 1), most=10_000_000)
    assert (0, 0, 0, 1) == counted()


def test_what_was_lost_before_is_counted(store):
    queue(store, b"x", lost=7)
    assert (1, 1, 0, 7) == counted()


def test_an_event_is_queued_only_with_its_transaction(store):
    store.begin()
    put(store.connection, [("r/", b"one")], 1_000)
    store.roll_back()
    assert (0, 0, 0, 0) == counted()


def test_numbers_are_never_used_again(store):
    queue(store, b"one")
    remove(store.connection, [1])
    queue(store, b"two")
    assert 2 == next_events(store.connection, 1)[0][0]


def test_without_a_database_or_with_an_older_one_there_is_no_queue(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(tmp_path))
    assert None is outgoing_counts()
    sqlite3.connect(tmp_path / "sessions.db").close()
    assert None is outgoing_counts()
