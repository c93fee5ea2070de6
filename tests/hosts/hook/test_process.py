"""The hook as a process: what it loads, and what happens when many of them run at once or one of them dies."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest

from headway import Monitor
from headway.store.faults import read_faults
from headway.store.overview import list_sessions
from headway.store.queue import waiting

from .programs import Program, run

pytestmark = pytest.mark.slow

CALLS = int(os.environ.get("HEADWAY_TEST_CALLS", "16"))
"""How many calls run against each other in one test; `make stress` has 2,500."""
AT_ONCE = min(32, CALLS)
PROCESSES, CALLS_EACH, KILLS = map(int, os.environ.get("HEADWAY_TEST_PROCESSES", "4 15 2").split())
"""How many processes call without a pause, how often each, and how often each is killed; `make stress` has 32 1000 4."""
ROOT = Path(__file__).parent.parent.parent.parent
HEADWAY = str(Path(sys.executable).parent / "headway")


def sent(program: Program, moment: str, **said: str) -> bytes:
    return json.dumps(program.spelled(moment, **said)).encode()


def loaded(data: bytes) -> set[str]:
    """The modules a hook process has at its end."""
    code = (
        "import os, sys; from headway.hosts.hook.call import main; main(['--agent', 'claude-code']);"
        "sys.stderr.write(' '.join(sys.modules)); sys.stderr.flush(); os._exit(0)"
    )
    done = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, timeout=60, check=True)
    return set(done.stderr.decode().split())


def test_no_unneeded_module_is_imported():
    """Before a call nothing can be refused yet, so not even msgspec is imported; after it the engine is."""
    program = Program("claude-code")
    run(sent(program, "prompt", prompt="please do it"), "--agent", "claude-code")
    program.count = 1

    before = loaded(sent(program, "before", command="ls"))
    after = loaded(sent(program, "after", command="ls", output="a.py"))

    never = {"click", "rich", "rapidfuzz", "dataclasses", "inspect", "logging", "importlib.metadata", "tomllib"}
    assert set() == never & (before | after)
    assert not {"msgspec", "typing", "headway.core.engine"} & before
    assert {"msgspec", "headway.core.engine"} <= after
    assert not {name for name in after if name.startswith(("headway.scoring", "headway.detectors.iteration."))}


def test_help_is_printed_and_an_answer_is_one_line_of_json():
    program = Program("claude-code")
    for _ in range(3):
        program.count += 1
        done = run(sent(program, "failed", command="cat x", output="No such file"), "--agent", "claude-code")

    assert (0, b"") == (done.returncode, done.stderr)
    assert "3 times" in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    assert b"--agent NAME" in run(b"", "--help").stdout


def result_of(session: str, number: int) -> bytes:
    """The result of one call among many, each of them different."""
    program = Program("claude-code", session)
    program.count = number
    return sent(program, "after", command=f"make part-{number}", output=f"built {number}")


def part(number: int, sessions: int) -> bytes:
    return result_of(f"s{number % sessions}", number)


def take_in_all() -> int:
    """Call the hook in another session until the queue is empty; returns the number of calls."""
    program = Program("claude-code", "last")
    for number in range(1, 10_000):
        program.step(f"make {number}", f"built {number}")
        if not waiting():
            return number
    raise AssertionError(f"{len(waiting())} events still wait")


def killed(data: bytes, after: float) -> int:
    """Run a hook and kill it after this many seconds; returns its exit code."""
    process = subprocess.Popen([HEADWAY, "hook", "--agent", "claude-code"], stdin=subprocess.PIPE)
    process.stdin.write(data)
    process.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        return process.wait(after)
    process.send_signal(signal.SIGKILL)
    return process.wait()


def steps_kept(state: Path) -> list[int]:
    """The number of steps of each session, by its row and by its monitor; checks the whole database."""
    take_in_all()
    with closing(sqlite3.connect(state / "sessions.db")) as connection:
        assert [("ok",)] == connection.execute("PRAGMA integrity_check").fetchall()
        query = "SELECT steps, monitor FROM sessions WHERE session != 'last' ORDER BY id"
        rows = connection.execute(query).fetchall()
    kept = [steps for steps, _ in rows]
    assert kept == [Monitor.load(monitor).session.step_count for _, monitor in rows]
    return kept


@pytest.mark.parametrize("sessions", [1, AT_ONCE], ids=["same session", "different sessions"])
def test_many_processes_at_once_lose_nothing(sessions, state):
    def one(number: int) -> tuple[int, bytes]:
        done = run(part(number, sessions), "--agent", "claude-code")
        return done.returncode, done.stderr

    with ThreadPoolExecutor(AT_ONCE) as pool:
        ended = set(pool.map(one, range(CALLS)))

    kept = steps_kept(state)
    assert {(0, b"")} == ended
    assert [] == read_faults()
    assert (CALLS, sessions) == (sum(kept), len(kept))


@pytest.mark.parametrize("sessions", [1, AT_ONCE], ids=["same session", "different sessions"])
def test_many_processes_at_once_of_which_every_third_is_killed(sessions, state):
    """Surviving processes lose nothing, whatever the killed ones were doing, and the next call works."""

    def one(number: int) -> int:
        data = part(number, sessions)
        if number % 3:
            return run(data, "--agent", "claude-code").returncode
        return killed(data, after=0.02 * (number % 50))

    with ThreadPoolExecutor(AT_ONCE) as pool:
        ended = list(pool.map(one, range(CALLS)))
    before = sum(steps_kept(state))
    next_call = run(part(CALLS, sessions), "--agent", "claude-code")

    assert {0, -signal.SIGKILL} == set(ended)
    assert ended.count(0) <= before <= CALLS  # one may have been killed after it had written
    assert (0, b"", []) == (next_call.returncode, next_call.stderr, read_faults())
    assert before + 1 == sum(steps_kept(state))


def calls_of(session: str, kills: int) -> int:
    """Let a process call the hook, kill it this many times, and repeat the call that it was killed in."""
    answered, each = 0, CALLS_EACH // (kills + 1)
    for goal in [*range(each, each * kills + 1, each), CALLS_EACH]:
        command = [sys.executable, "-m", "tests.hosts.hook.caller", session, str(answered + 1), str(CALLS_EACH)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, text=True) as process:
            while answered < goal and (line := process.stdout.readline()):
                answered = int(line)
            process.kill()
            answered = max([answered, *map(int, process.stdout.read().split())])
    return answered


def test_many_killed_processes_without_pauses_lose_and_duplicate_nothing(state):
    """Each has a session of its own. A call that a process was killed in comes again; if it was written, it is known."""
    with ThreadPoolExecutor(PROCESSES) as pool:
        answered = set(pool.map(calls_of, [f"s{number}" for number in range(PROCESSES)], [KILLS] * PROCESSES))

    assert {CALLS_EACH} == answered
    assert [CALLS_EACH] * PROCESSES == steps_kept(state)
    assert [] == read_faults()


def test_a_session_continues_after_a_killed_process():
    """Killed at any moment, also in the middle of a transaction."""
    program = Program("claude-code")
    run(sent(program, "prompt", prompt="please do it"), "--agent", "claude-code")
    for number in range(1, 25):
        program.count = number
        killed(sent(program, "after", command=f"make part-{number}", output=f"built {number}"), after=0.005 * number)
    before = list_sessions()[0].steps
    program.count = 100

    done = run(sent(program, "after", command="make rest", output="built"), "--agent", "claude-code")

    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)
    assert [] == read_faults()
    assert before + 1 == list_sessions()[0].steps


def test_a_transaction_of_a_killed_process_is_rolled_back(state):
    """It has already changed the file and leaves a journal, which the next process rolls back."""
    program = Program("claude-code")
    program.count = 1
    run(sent(program, "after", command="make one", output="built"), "--agent", "claude-code")
    dying = (
        "import os, signal; from headway.store.sessions import SessionStore; store = SessionStore(); store.prepare();"
        "store.connection.execute('PRAGMA cache_size = 1'); store.begin(); key = ('claude-code', 's1', '');"
        "store.keep(store.find(key), key, steps=99, monitor=b'torn' * 50_000); os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert -signal.SIGKILL == subprocess.run([sys.executable, "-c", dying], check=False).returncode
    assert (state / "sessions.db-journal").stat().st_size > 0
    program.count = 2

    done = run(sent(program, "after", command="make two", output="built"), "--agent", "claude-code")

    assert (0, b"", b"", []) == (done.returncode, done.stdout, done.stderr, read_faults())
    assert 2 == list_sessions()[0].steps


def test_a_persistent_codex_is_interrupted_with_the_option(tmp_path):
    """A program of that name replaces Codex; without the option nothing is interrupted."""
    program = Program("codex")
    for _ in range(6):
        program.step("cat missing.txt", "No such file or directory")
    codex = tmp_path / "codex"
    codex.write_text(
        f"#!{sys.executable}\nimport subprocess, sys\n"
        f"hook = [{HEADWAY!r}, 'hook', '--agent', 'codex', '--mode=enforce', *sys.argv[2:]]\n"
        f"subprocess.run(hook, stdin=open({str(tmp_path / 'event.json')!r}))\nprint('went on')\n"
    )
    codex.chmod(0o700)

    def asks_for_more(mode: str, *options: str) -> subprocess.CompletedProcess[str]:
        program.count += 1
        (tmp_path / "event.json").write_bytes(sent(program, "before", command="ls"))
        return subprocess.run([codex, mode, *options], capture_output=True, text=True, timeout=60, check=False)

    left_alone, server = asks_for_more("exec"), asks_for_more("app-server", "--interrupt")
    interrupted = asks_for_more("exec", "--interrupt")

    assert 0 == server.returncode and "went on" in server.stdout, "a screen may be waiting for this one"
    assert -signal.SIGINT == interrupted.returncode and "went on" not in interrupted.stdout
    assert 0 == left_alone.returncode
    assert "stopped this run" in left_alone.stdout and "went on" in left_alone.stdout
