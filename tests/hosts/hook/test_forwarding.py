"""The hook queues events for other machines, if the user wants that."""

import json
import sqlite3
from contextlib import closing

import msgspec
import pytest

from headway import Monitor
from headway.cli import run as headway
from headway.core.events import RunStarted, UserSpoke, decode_event
from headway.hosts.hook.call import judge, read_request
from headway.store.outgoing import outgoing_counts, silent_sessions
from headway.store.place import database
from headway.store.queue import waiting
from headway.store.warm import WarmStore

from .programs import Program


@pytest.fixture
def forwarding(monkeypatch):
    monkeypatch.setenv("HEADWAY_FORWARD__KAFKA", "nowhere:9092")


def queued():
    with closing(sqlite3.connect(database())) as connection:
        rows = connection.execute("SELECT key, event FROM outgoing ORDER BY id").fetchall()
    return [(key, decode_event(event)) for key, event in rows]


def loop(program, times=6):
    """An agent that goes in circles; returns all answers of the hook, without the session's name."""
    program.prompt("make it work")
    failure = "make: *** No rule to make target 'all'. Stop."
    answers = [program.step("make", failure, failed=True) for _ in range(times)]
    return json.dumps(answers).replace(f"allow {program.session}", "allow SESSION")


def test_nothing_is_queued_by_default():
    loop(Program("claude-code"))
    assert not outgoing_counts().is_used


def test_queued_events_have_numbers_without_gaps_and_a_session(forwarding):
    loop(Program("claude-code", "one"))
    loop(Program("codex", "two"), 2)
    for run in ("one", "two"):
        events = [event for key, event in queued() if key == f"{run}/"]
        assert [*range(1, len(events) + 1)] == [event.seq for event in events]
        assert {run} == {event.run for event in events}
        assert isinstance(events[0], RunStarted) and isinstance(events[1], UserSpoke)
        assert all(event.at is not None for event in events)


@pytest.mark.parametrize("content", [False, True])
def test_another_machine_makes_the_same_decisions(forwarding, content, monkeypatch):
    monkeypatch.setenv("HEADWAY_FORWARD__CONTENT", json.dumps(content))
    loop(Program("claude-code"))
    with closing(sqlite3.connect(database())) as connection:
        here = connection.execute("SELECT reason, action FROM decisions ORDER BY id").fetchall()
    monitor = Monitor()
    there = [monitor.feed(event).decision for _, event in queued()]
    assert ("exact_cycle", "nudge") in here
    assert {reason for reason, _ in here} <= {one.reason for one in there}


def test_queueing_changes_no_answer(forwarding, monkeypatch):
    with_it = loop(Program("claude-code", "one"))
    assert "allow SESSION" in with_it
    monkeypatch.delenv("HEADWAY_FORWARD__KAFKA")
    assert with_it == loop(Program("claude-code", "two"))


def test_no_output_is_queued_unless_content_is_allowed(forwarding, monkeypatch):
    loop(Program("claude-code", "one"))
    assert not any(b"No rule to make" in msgspec.json.encode(event) for _, event in queued())
    monkeypatch.setenv("HEADWAY_FORWARD__CONTENT", "true")
    loop(Program("claude-code", "two"))
    assert any(b"No rule to make" in msgspec.json.encode(event) for _, event in queued())


def test_numbering_continues_after_the_monitor_was_deleted(forwarding):
    loop(Program("claude-code"), 2)
    with closing(sqlite3.connect(database())) as connection, connection:
        connection.execute("UPDATE sessions SET monitor = NULL")
    before = len(queued())
    program = Program("claude-code")
    program.count = 2
    program.step("ls", "a.py")
    assert [*range(1, len(queued()) + 1)] == [event.seq for _, event in queued()]
    assert len(queued()) > before


def test_forwarding_can_begin_in_the_middle_of_a_session(monkeypatch):
    program = Program("claude-code")
    loop(program, 2)
    monkeypatch.setenv("HEADWAY_FORWARD__KAFKA", "nowhere:9092")
    program.step("ls", "a.py")
    assert 1 == queued()[0][1].seq


def test_only_silent_open_forwarded_sessions_get_a_time_event(monkeypatch):
    loop(Program("claude-code", "unsent"), 1)
    monkeypatch.setenv("HEADWAY_FORWARD__KAFKA", "nowhere:9092")
    for name in ("silent", "busy", "over"):
        loop(Program("claude-code", name), 1)
    with closing(sqlite3.connect(database())) as connection, connection:
        connection.execute("UPDATE sessions SET seen_at = 1000")
        connection.execute("UPDATE sessions SET seen_at = 2000 WHERE session = 'busy'")
        connection.execute("UPDATE sessions SET ended = 1 WHERE session = 'over'")
        assert [("silent", "")] == silent_sessions(connection, 500.0, 1500.0)


def test_the_service_fills_the_same_queue(forwarding):
    program = Program("claude-code")
    program.prompt("make it work")
    before = len(queued())
    store = WarmStore()
    with store.transaction():
        for number in range(1, 4):
            program.count = number
            for moment, said in (("before", {}), ("after", {"output": "a.py"})):
                sent = json.dumps(program.spelled(moment, command=f"ls {number}", **said)).encode()
                request = read_request(sent, ["--agent", "claude-code"])
                judge(store, request.host, request.hook_event, request.route)
    store.close()
    assert before + 6 == len(queued())
    assert [*range(1, before + 7)] == [event.seq for _, event in queued()]


def test_a_full_queue_changes_no_answer_and_is_reported(forwarding, monkeypatch, capsys):
    with_room = loop(Program("claude-code", "one"))
    with closing(sqlite3.connect(database())) as connection, connection:
        connection.execute("UPDATE outgoing_counts SET bytes = 64000000")
    dropped_from = len(queued())
    assert with_room == loop(Program("claude-code", "two"))
    assert dropped_from == len(queued())
    dropped = outgoing_counts().dropped
    assert dropped > 10
    assert [] == waiting()
    assert 0 == headway(["status"])
    assert f"{dropped} dropped" in capsys.readouterr().out
    assert 0 == headway(["status", "--format", "json"])
    assert dropped == json.loads(capsys.readouterr().out)["forwarding"]["dropped"]
    headway(["doctor", "--format", "json"])
    checks = json.loads(capsys.readouterr().out)["checks"]
    (told,) = [check for check in checks if "dropped" in check["text"]]
    assert "headway forward" in told["fix"]
