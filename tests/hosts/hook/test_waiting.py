"""An event that finds the database busy is not lost: it waits beside it, and the next call takes it in."""

import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from headway import Monitor
from headway.cli import run
from headway.hosts.hook import call
from headway.store import queue, sessions
from headway.store.faults import read_faults
from headway.store.overview import list_sessions
from headway.store.queue import FREE_AFTER_SECONDS, put, take, waiting
from tests.rolling.test_secrets import SECRETS, TELLING

from .programs import PROGRAMS, Program, ask, told_in


@pytest.fixture(autouse=True)
def little_patience(monkeypatch):
    monkeypatch.setattr(sessions, "PATIENCE", 0.02)
    monkeypatch.setattr(call, "PATIENCE_FOR_WAITING", 0.02)
    monkeypatch.setattr(call, "TIME_FOR_WAITING", 60.0)  # on a busy machine everything takes longer


@contextmanager
def busy(state: Path) -> Iterator[None]:
    """While this lasts, somebody else writes and does not end."""
    with closing(sqlite3.connect(state / "sessions.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")


def steps() -> list[int]:
    return [one.steps for one in list_sessions()]


@pytest.mark.parametrize("agent", PROGRAMS)
def test_a_queued_event_is_processed_with_the_next_call(agent, state):
    program = Program(agent)
    program.step("make one", "built one")
    with busy(state):
        assert ({}, {}) == program.step("make two", "built two")
        assert 2 == len(waiting())
    program.step("make three", "built three")

    assert [3] == steps()
    assert [] == waiting() and [] == read_faults()


def test_a_call_of_another_session_processes_queued_events_too(state):
    first, second = Program("claude-code", "s1"), Program("codex", "s2")
    first.step("make one", "built one")
    with busy(state):
        first.step("make two", "built two")
    second.step("ls", "a.py")

    assert {"s1": 2, "s2": 1} == {one.session: one.steps for one in list_sessions()}


def test_a_queued_event_counts_once(state):
    """A process was killed after it had written and before it could remove the file."""
    program = Program("claude-code")
    program.step("make one", "built one")
    with busy(state):
        program.step("make two", "built two")
    left = {name: (state / "waiting" / name).read_bytes() for name in waiting()}
    program.step("make three", "built three")
    for name, content in left.items():
        (state / "waiting" / name).write_bytes(content)
    program.step("make four", "built four")

    assert [4] == steps() and [] == waiting()
    with closing(sqlite3.connect(state / "sessions.db")) as connection:
        (saved,) = connection.execute("SELECT monitor FROM sessions").fetchone()
    assert 4 == Monitor.load(saved).session.step_count


def test_an_event_taken_by_a_killed_process_is_free_after_a_while(state, monkeypatch):
    put({"host": "claude-code"})
    assert [("claude-code")] == [event["host"] for _, event in take()]
    assert [] == list(take()) and 1 == len(waiting())
    monkeypatch.setattr(queue, "FREE_AFTER_SECONDS", -FREE_AFTER_SECONDS)
    assert 1 == len(list(take()))


def test_a_nudge_of_a_queued_event_is_said_with_the_next_result(state):
    program = Program("claude-code")
    for _ in range(2):
        program.step("cat missing.txt", "No such file")
    with busy(state):
        program.step("cat missing.txt", "No such file")
    _, answer = program.step("ls", "a.py")

    assert "3 times" in told_in(answer)


def test_a_queued_event_keeps_its_time(state):
    program = Program("claude-code")
    program.step("make one", "built one")
    with busy(state):
        program.step("make two", "built two")
    for name in waiting():
        place = state / "waiting" / name
        place.write_text(json.dumps({**json.loads(place.read_text()), "at": 12.0}))
    program.step("make three", "built three")

    with closing(sqlite3.connect(state / "sessions.db")) as connection:
        (saved,) = connection.execute("SELECT monitor FROM sessions").fetchone()
    assert 12.0 == Monitor.load(saved).session.steps[1].at


@pytest.mark.parametrize("text", SECRETS.values(), ids=SECRETS)
def test_a_queued_event_contains_no_secret(text, state):
    program = Program("claude-code")
    program.step("make one", "built one")
    with busy(state):
        program.step(text, f"Error: this was refused: {text}", failed=True)
    kept = "".join((state / "waiting" / name).read_text() for name in waiting())

    assert "make" in kept or "refused" in kept
    assert [] == [word for word in TELLING if word in kept]


def test_only_its_user_can_read_a_queued_event(state):
    program = Program("claude-code")
    program.step("make one", "built one")
    with busy(state):
        program.step("make two", "built two")

    assert 0o700 == (state / "waiting").stat().st_mode & 0o777
    assert {0o600} == {(state / "waiting" / name).stat().st_mode & 0o777 for name in waiting()}


def test_an_unreadable_queued_event_is_skipped(state):
    program = Program("claude-code")
    program.step("make one", "built one")
    put({"host": "emacs", "data": {}})
    put({"host": "claude-code", "route": "claude-code", "at": 1.0, "data": {"hook_event_name": "PreToolUse"}})
    (state / "waiting" / "0.json").write_text("{")
    program.step("make two", "built two")

    assert [2] == steps() and [] == waiting()
    assert 2 == len(read_faults())


def test_a_call_processes_only_a_few_queued_events(state):
    program = Program("claude-code")
    program.step("make it", "built it")
    with busy(state):
        for number in range(2 * queue.MOST_AT_ONCE):
            program.step(f"make {number}", f"built {number}")
    late = len(waiting())
    ask(program.spelled("before", command="ls"), "claude-code")

    assert late - queue.MOST_AT_ONCE == len(waiting())


def test_the_doctor_reports_queued_events(state, capsys):
    put({"host": "claude-code"})
    run(["doctor"])
    assert "1 event waited for the database; the next call of the hook processes them" in capsys.readouterr().out


def test_many_threads_process_each_queued_event_once(state):
    program = Program("claude-code")
    program.step("make one", "built one")
    with busy(state):
        for number in range(4):
            program.step(f"make {number}", f"built {number}")
    sessions.PATIENCE, together = 5.0, threading.Barrier(6)

    def one(number: int) -> None:
        together.wait(120)
        Program("claude-code", f"other-{number}").step("ls", "a.py")

    threads = [threading.Thread(target=one, args=[number]) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    deadline = time.monotonic() + 60
    while waiting() and time.monotonic() < deadline:
        Program("claude-code", "last").step("ls", "a.py")

    assert 5 == next(one.steps for one in list_sessions() if one.session == "s1")


def test_events_of_killed_processes_do_not_hide_the_others(state):
    for number in range(10):
        put({"number": number})
    taken = take()
    killed = [next(taken)[1]["number"] for _ in range(8)]
    assert [8, 9] == [event["number"] for _, event in take()]
    assert list(range(8)) == killed
