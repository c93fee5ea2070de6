"""The hook client: what it asks the service, and what it does without one."""

import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress

import pytest

from headway.serve.judge import Judge
from headway.store.faults import read_faults
from headway.store.overview import list_sessions
from tests.hosts.hook.programs import Program, refusal_in
from tests.serve.client_runs import CLIENT, ThroughClient, run_client
from tests.slow import slow


def nudge_in(answer):
    return answer.get("hookSpecificOutput", {}).get("additionalContext", "")


def steps():
    return {one.session: one.steps for one in list_sessions()}


def test_it_imports_next_to_nothing(client):
    """What costs time is imported by the fallback only."""
    code = (
        "import runpy, sys, posix; posix._exit = lambda code: None; before = set(sys.modules);"
        f"sys.argv = ['client', '--agent', 'claude-code']; exec(open({str(CLIENT)!r}).read());"
        "sys.stderr.write(' '.join(set(sys.modules) - before))"
    )
    sent = b'{"session_id": "s1", "hook_event_name": "UserPromptSubmit", "prompt": "please"}'
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], input=sent, capture_output=True, check=True)

    assert {"_socket"} == set(done.stderr.decode().split())
    assert {"s1": 0} == steps()


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_an_agent_is_told_and_refused_as_through_a_process(agent, client):
    program, beside = ThroughClient(agent, "session-1"), Program(agent, "session-2")
    program.prompt("please do it")
    beside.prompt("please do it")
    answers = [(program.step("cat x", "No such file"), beside.step("cat x", "No such file")) for _ in range(6)]

    assert all(one == other for one, other in answers)
    assert any(nudge_in(after) or after for (_, after), _ in answers)
    assert len(set(steps().values())) == 1
    assert [] == read_faults()


def test_without_the_service_it_does_what_the_hook_does(state):
    program, beside = ThroughClient("claude-code", "session-1"), Program("claude-code", "session-2")
    for _ in range(5):
        assert program.step("cat x", "No such file") == beside.step("cat x", "No such file")

    assert not (state / "serve.sock").exists()
    assert refusal_in(program.step("cat x", "No such file")[0])


def test_settings_in_its_environment_hold_although_the_service_has_others(client, state, monkeypatch):
    monkeypatch.setenv("HEADWAY_DETECTORS__EXACT_CYCLE__ENABLED", "false")
    program, other = ThroughClient("claude-code"), ThroughClient("claude-code", "s2")
    told = " ".join(nudge_in(program.step("cat x", "No such file")[1]) for _ in range(3))
    monkeypatch.undo()
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(state))
    told_without = " ".join(nudge_in(other.step("cat x", "No such file")[1]) for _ in range(3))

    assert "3 times in a row" not in told
    assert "3 times in a row" in told_without


def test_output_that_nobody_reads_is_no_error(client):
    process = subprocess.Popen([sys.executable, "-I", "-S", str(CLIENT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdout.close()
    process.stdin.write(b"no json")
    process.stdin.close()

    assert 0 == process.wait(120)


# A service that fails in every way it can. It takes events in as the real one does, where it gets so far.


@contextmanager
def failing(state, fails):
    """A service that does `fails(connection, judge)` with each event."""
    state.mkdir(mode=0o700, exist_ok=True)
    judge = Judge(lambda seconds: None)
    judge.start()
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(state / "serve.sock"))
    listening.listen(16)
    asked = []

    def work():
        while True:
            connection, _ = listening.accept()
            with connection:
                if connection.recv(1, socket.MSG_PEEK) == b"":
                    return
                asked.append(1)
                with suppress(BrokenPipeError):  # the client did not wait so long
                    fails(connection, judge)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield asked
    finally:
        with socket.socket(socket.AF_UNIX) as last:
            last.connect(str(state / "serve.sock"))
        thread.join(10)
        listening.close()
        judge.stop()


def taken_in(connection, judge):
    """Take the event in, as a service that is killed just before it answers."""
    got = b""
    while b"\n" not in got:
        got += connection.recv(65536)
    head, _, body = got.partition(b"\n")
    _, _, id, size, *arguments = head.decode().split()
    while len(body) < int(size):
        body += connection.recv(65536)
    done = threading.Event()
    judge.ask(body, arguments, id, lambda answer: done.set())
    assert done.wait(120)


def hung_up(connection, judge):
    """Killed as soon as somebody connects."""


def took_it_and_died(connection, judge):
    taken_in(connection, judge)


def said_so_and_died(connection, judge):
    taken_in(connection, judge)
    connection.sendall(b"+")


def died_in_the_answer(connection, judge):
    taken_in(connection, judge)
    connection.sendall(b'+=500\n{"system')


def talked_nonsense(connection, judge):
    taken_in(connection, judge)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


def sent_too_much(connection, judge):
    taken_in(connection, judge)
    connection.sendall(b"+=2\n{}{}")


def says_nothing(connection, judge):
    taken_in(connection, judge)
    time.sleep(0.4)


@pytest.mark.parametrize(
    "fails",
    [
        took_it_and_died,
        died_in_the_answer,
        *slow(hung_up, said_so_and_died, talked_nonsense, sent_too_much, says_nothing),
    ],
    ids=lambda fails: fails.__name__,
)
def test_an_event_is_counted_once_and_answered_however_the_service_fails(fails, state):
    program, beside = ThroughClient("claude-code", "session-1"), Program("claude-code", "session-2")
    with failing(state, fails) as asked:
        answers = [(program.step("cat x", "No such file"), beside.step("cat x", "No such file")) for _ in range(5)]

    assert len(asked) >= 9
    assert all(one == other for one, other in answers)
    assert nudge_in(answers[2][0][1])
    assert refusal_in(answers[4][0][0])
    assert steps()["session-1"] == steps()["session-2"]
    assert [] == read_faults()


@pytest.mark.skipif(os.getuid() != 0, reason="only the super-user can give a folder away")
def test_a_service_in_a_folder_of_another_user_is_not_asked(state):
    with failing(state, says_nothing) as asked:
        os.chown(state, 12345, 12345)
        run_client(
            b'{"session_id": "s1", "hook_event_name": "UserPromptSubmit", "prompt": "x"}', "--agent", "claude-code"
        )
        os.chown(state, 0, 0)

    assert [] == asked


def test_a_large_event_goes_through(client):
    sent = b'{"session_id": "s1", "hook_event_name": "UserPromptSubmit", "prompt": "' + b"x" * 5_000_000 + b'"}'

    run_client(sent, "--agent", "claude-code")

    assert {"s1": 0} == steps()
