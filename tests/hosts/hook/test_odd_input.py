"""Unusual input and databases are handled without losing the session."""

import io
import sqlite3
import sys
from contextlib import closing
from types import SimpleNamespace

import pytest

from headway.hosts.hook import call
from headway.store.faults import read_faults
from headway.store.overview import list_sessions

from .programs import Program, ask, run


def test_an_event_that_is_too_large_is_read_to_its_end(state, monkeypatch):
    """An agent whose hook leaves before it has written everything would get a broken pipe."""
    stdin = io.BytesIO(b"x" * 5_000_000)
    monkeypatch.setattr(call, "LARGEST_INPUT", 1_000)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stdin))
    assert 0 == call.main(["--agent", "claude-code"])
    assert 5_000_000 == stdin.tell()
    assert "an event of more than 1000 bytes is not read" in read_faults()[0]


def test_an_agent_can_write_all_of_an_event_that_is_too_large(state):
    done = run(b" " * (call.LARGEST_INPUT + 10_000_000), "--agent", "claude-code")
    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)
    assert "an event of more than 64000000 bytes is not read" in read_faults()[0]


@pytest.mark.parametrize("depth", [100, 500, 900])
@pytest.mark.parametrize("with_id", [True, False], ids=["with an id", "without"])
def test_deeply_nested_arguments_are_processed(depth, with_id, state):
    value = "leaf"
    for level in range(depth):
        value = {"a": value} if level % 2 else [value]
    program = Program("claude-code")
    for _ in range(3):
        program.count += 1
        event = {**program.spelled("after", command="", output="the same"), "tool_input": {"query": value}}
        answer = ask(event if with_id else {**event, "tool_use_id": None}, "claude-code")

    assert [] == read_faults()
    assert 3 == list_sessions()[0].steps
    assert "3 times" in answer["hookSpecificOutput"]["additionalContext"]


def test_a_newer_database_is_left_alone_and_logged_once(state):
    program = Program("claude-code")
    program.step("make one", "built one")
    with closing(sqlite3.connect(state / "sessions.db")) as connection:
        connection.execute("ALTER TABLE sessions RENAME COLUMN steps TO moves")
        connection.execute("PRAGMA user_version = 99")
    before = (state / "sessions.db").read_bytes()
    for number in (5, 6):
        program.count = number
        done = run(
            call.json.dumps(program.spelled("after", command="ls", output="a")).encode(), "--agent", "claude-code"
        )
        assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)

    assert before == (state / "sessions.db").read_bytes()
    assert {"sessions.db", "faults.log"} == {file.name for file in state.iterdir()}
    (line,) = read_faults()
    assert "the database was left alone: written by Headway " in line and "Update Headway" in line


def test_tables_without_a_version_are_moved_aside(state):
    program = Program("claude-code")
    program.step("make one", "built one")
    with closing(sqlite3.connect(state / "sessions.db")) as connection:
        connection.execute("PRAGMA user_version = 0")
    program.step("make two", "built two")
    program.step("make three", "built three")

    assert [2] == [one.steps for one in list_sessions()]
    assert (state / "sessions.db.damaged").exists() and 1 == len(read_faults())
