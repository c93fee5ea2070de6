"""The hook as a process: what it loads, and what happens when many of them run at once or one of them dies."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from headway.store.faults import read_faults
from headway.store.overview import list_sessions

from .programs import Program, run

CALLS = int(os.environ.get("HEADWAY_TEST_CALLS", "64"))
"""How many calls run against each other; 5000 is the long run."""
AT_ONCE = 32


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


def test_nothing_is_loaded_that_is_not_needed():
    """Before a call nothing can be refused yet, so that not even msgspec is needed; after it the engine is."""
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


@pytest.mark.parametrize("sessions", [1, AT_ONCE], ids=["same session", "different sessions"])
def test_many_processes_at_once_lose_nothing(sessions):
    programs = [Program("claude-code", f"s{number}") for number in range(sessions)]

    def one(number: int) -> tuple[int, bytes]:
        program = Program("claude-code", programs[number % sessions].session)
        program.count = number
        data = sent(program, "after", command=f"make part-{number}", output=f"built {number}")
        done = run(data, "--agent", "claude-code")
        return done.returncode, done.stderr

    with ThreadPoolExecutor(AT_ONCE) as pool:
        ended = set(pool.map(one, range(CALLS)))

    kept = list_sessions()
    assert {(0, b"")} == ended
    assert [] == read_faults()
    assert (CALLS, sessions) == (sum(one.steps for one in kept), len(kept))


def test_a_process_that_is_killed_leaves_a_session_that_goes_on():
    """Killed at any moment, also in the middle of a transaction."""
    program = Program("claude-code")
    run(sent(program, "prompt", prompt="please do it"), "--agent", "claude-code")
    command = [str(Path(sys.executable).parent / "headway"), "hook", "--agent", "claude-code"]
    for number in range(1, 25):
        program.count = number
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        process.stdin.write(sent(program, "after", command=f"make part-{number}", output=f"built {number}"))
        process.stdin.close()
        time.sleep(0.005 * number)
        process.send_signal(signal.SIGKILL)
        process.wait()
    before = list_sessions()[0].steps
    program.count = 100

    done = run(sent(program, "after", command="make rest", output="built"), "--agent", "claude-code")

    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)
    assert [] == read_faults()
    assert before + 1 == list_sessions()[0].steps


def test_a_process_that_is_killed_in_the_middle_of_a_transaction_is_undone(state):
    """It has changed the file already: what it leaves behind is a journal, which the next process plays back."""
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


def test_a_codex_that_insists_is_interrupted_on_request(tmp_path):
    """A program of that name stands in for it; without the option nothing is interrupted."""
    program = Program("codex")
    for _ in range(6):
        program.step("cat missing.txt", "No such file or directory")
    codex = tmp_path / "codex"
    codex.write_text(
        f"#!{sys.executable}\nimport subprocess, sys\n"
        f"hook = [{str(Path(sys.executable).parent / 'headway')!r}, 'hook', '--agent', 'codex', *sys.argv[1:]]\n"
        f"subprocess.run(hook, stdin=open({str(tmp_path / 'event.json')!r}))\nprint('went on')\n"
    )
    codex.chmod(0o700)

    def asks_for_more(*options: str) -> subprocess.CompletedProcess[str]:
        program.count += 1
        (tmp_path / "event.json").write_bytes(sent(program, "before", command="ls"))
        return subprocess.run([codex, *options], capture_output=True, text=True, timeout=60, check=False)

    left_alone, interrupted = asks_for_more(), asks_for_more("--interrupt")

    assert -signal.SIGINT == interrupted.returncode and "went on" not in interrupted.stdout
    assert 0 == left_alone.returncode
    assert "stopped this run" in left_alone.stdout and "went on" in left_alone.stdout
