"""No fault disturbs the agent: nothing is printed, the exit code is 0, and the fault is logged."""

import importlib
import json
import os
import re
import resource
import sqlite3
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from headway import __version__
from headway.hosts.hook.host import SILENT as SHARED_SILENT
from headway.hosts.hook.recognise import host_called
from headway.store.faults import note_fault, read_faults
from headway.store.overview import list_sessions
from headway.store.place import fault_logs
from tests.packages import installed

from .programs import PROGRAMS, Program, ask, run

GOOD = json.dumps(Program("claude-code").spelled("after", command="ls", output="a.py")).encode()

BAD = {
    "empty": b"",
    "not json": b"hello",
    "half of it": GOOD[:40],
    "not an object": b"[1, 2]",
    "a number": b"7",
    "not utf-8": b'{"session_id": "\xff\xfe"}',
    "too deep": b"[" * 200_000,
}
UNKNOWN = {
    "nothing in it": ({}, "claude-code sent an event that has no name"),
    "no name": ({"hook_event_name": None}, "claude-code sent an event that has no name"),
    "a name that may hold anything": (
        {"hook_event_name": "ghp_16C7e42F"},
        "claude-code sent an event that has no name",
    ),
    "a new name": ({"hook_event_name": "New"}, "claude-code sent an event called New, which is not known"),
    "no session": ({"session_id": None}, "claude-code sent PostToolUse without the id of a session"),
}
SILENT = {
    "half a character": json.dumps({**json.loads(GOOD), "session_id": "\ud800"}).encode(),
    "odd types": json.dumps(
        {**json.loads(GOOD), "tool_name": 5, "tool_input": [1], "tool_response": {"stdout": {"a": [None]}}, "cwd": 3}
    ).encode(),
    "no result": json.dumps({**json.loads(GOOD), "tool_response": None}).encode(),
    "a batch of nonsense": json.dumps(
        {**json.loads(GOOD), "hook_event_name": "PostToolBatch", "tool_calls": [None, {}, 3]}
    ).encode(),
}


@pytest.mark.parametrize("sent", BAD.values(), ids=BAD)
def test_bad_input_is_logged_and_not_answered(sent):
    done = run(sent, "--agent", "claude-code")

    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)
    assert 1 == len(read_faults())


@pytest.mark.parametrize(("changed", "told"), UNKNOWN.values(), ids=UNKNOWN)
def test_unknown_input_is_logged_once_and_not_answered(changed, told):
    sent = json.dumps({**json.loads(GOOD), **changed} if changed else {}).encode()
    for _ in range(3):
        done = run(sent, "--agent", "claude-code")
        assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)

    (line,) = read_faults()
    assert line.endswith(f" not understood: {told} (Headway {__version__})")


def test_unknown_input_is_logged_once_per_agent_and_event():
    for agent, event in (("codex", "New"), ("gemini", "New"), ("codex", "Newer"), ("gemini", "New"), ("codex", "New")):
        run(json.dumps({"session_id": "s", "hook_event_name": event}).encode(), "--agent", agent)

    assert ["codex New", "codex Newer", "gemini New"] == sorted(
        re.sub(r".*not understood: (\w+) sent an event called (\w+), .*", r"\1 \2", line) for line in read_faults()
    )


@pytest.mark.parametrize("sent", [b"hello", b"[1, 2]"], ids=["not JSON", "not an object"])
def test_input_that_is_not_an_event_is_logged_once(sent):
    for _ in range(3):
        run(sent, "--agent", "gemini")

    (line,) = read_faults()
    assert " not understood: gemini sent " in line


@pytest.mark.parametrize("agent", PROGRAMS)
def test_known_uninformative_events_are_not_faults(agent):
    host = host_called(agent)
    for event in (*SHARED_SILENT, *host.silent):
        spelled = {"hook_event_name": event, "event_type": event}
        spelled |= {f"{plugin}_event": event for plugin in ("opencode", "kilo", "pi", "cline")}
        assert event in host.moments or host.event_from(spelled) is None


def test_an_event_of_copilot_without_a_name_may_be_any_of_its_others():
    ask({"sessionId": "s", "timestamp": 1_794_765_250_000, "cwd": "/home/dev/project", "notificationType": "idle"})

    assert [] == read_faults()


@pytest.mark.parametrize("sent", SILENT.values(), ids=SILENT)
def test_uninformative_events_are_ignored(sent):
    done = run(sent, "--agent", "claude-code")

    assert (0, b"", b"", []) == (done.returncode, done.stdout, done.stderr, read_faults())


@pytest.mark.parametrize("arguments", [("--agent", "emacs"), ("--agnet", "codex"), ("stray",)])
def test_wrong_usage_is_logged_and_not_answered(arguments):
    done = run(GOOD, *arguments)

    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)
    assert arguments[-1] in read_faults()[0] or "--agnet" in read_faults()[0]


def test_an_oversized_event_is_logged():
    done = run(b'{"a": "' + b"x" * 64_000_001 + b'"}')

    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)
    assert "64000000 bytes" in read_faults()[0]


def test_a_large_event_is_processed(state):
    large = {**json.loads(GOOD), "tool_response": {"stdout": "line\n" * 1_000_000, "stderr": ""}}

    done = run(json.dumps(large).encode(), "--agent", "claude-code")

    assert (0, b"", []) == (done.returncode, done.stdout, read_faults())
    assert (state / "sessions.db").stat().st_size < 200_000


def test_a_state_folder_that_is_a_file_is_logged_elsewhere(state):
    """A folder that cannot be written; permissions would not stop the super-user who may run these tests."""
    state.write_text("not a folder")

    done = run(GOOD, "--agent", "claude-code")

    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)
    assert not Path(fault_logs()[0]).exists()
    assert f"{state}: File exists; set HEADWAY_STATE_DIR to a folder of your own" in read_faults()[0]


@pytest.mark.skipif(os.geteuid() == 0, reason="the super-user may write everywhere")
def test_a_read_only_state_folder_is_logged_elsewhere(state):
    state.mkdir(mode=0o500)

    done = run(GOOD, "--agent", "claude-code")

    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)
    assert 1 == len(read_faults())


def test_a_fault_names_no_place_in_python_itself(state):
    try:
        importlib.import_module("headway.no_such_module")
    except ImportError as error:
        note_fault("here", error)
    assert "(test_faults.py:" in read_faults()[0] and "<frozen" not in read_faults()[0]


def test_a_fault_of_another_state_folder_is_not_one_of_this(state, monkeypatch):
    state.write_text("not a folder")
    note_fault("here", ValueError("x"))
    assert 1 == len(read_faults())

    monkeypatch.setenv("HEADWAY_STATE_DIR", str(state.with_name("another")))
    assert [] == read_faults()


@pytest.mark.skipif(os.geteuid() != 0, reason="only the super-user can give a folder away")
def test_a_log_of_another_user_is_not_read(state):
    state.write_text("not a folder")
    note_fault("here", ValueError("x"))
    assert 1 == len(read_faults())

    os.chown(Path(fault_logs()[1]).parent, 12_345, -1)
    assert [] == read_faults()


def test_a_session_continues_after_a_full_disk(state):
    run(GOOD, "--agent", "claude-code")
    room = (state / "sessions.db").stat().st_size
    large = json.loads(GOOD) | {"tool_use_id": "call-2", "tool_input": {f"a{n}": "x" * 900 for n in range(60)}}

    done = run(
        json.dumps(large).encode(), "--agent", "claude-code",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )  # fmt: skip
    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)
    assert 1 == len(read_faults()) and 1 == list_sessions()[0].steps

    run(json.dumps(large).encode(), "--agent", "claude-code")
    assert 2 == list_sessions()[0].steps


@pytest.mark.parametrize("damage", [b"this is no database at all, really not" * 100, b""])
def test_a_damaged_database_is_moved_aside_and_replaced(state, damage):
    state.mkdir()
    (state / "sessions.db").write_bytes(damage)

    done = run(GOOD, "--agent", "claude-code")

    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)
    assert 1 == list_sessions()[0].steps
    assert bool(damage) == (state / "sessions.db.damaged").exists() == ("moved aside" in " ".join(read_faults()))


def test_a_database_with_damaged_pages_is_moved_aside(state):
    for number in range(3):
        run(json.dumps(json.loads(GOOD) | {"tool_use_id": f"c{number}"}).encode(), "--agent", "claude-code")
    whole = (state / "sessions.db").read_bytes()
    (state / "sessions.db").write_bytes(whole[:4096] + b"\xaa" * (len(whole) - 4096))

    done = run(GOOD, "--agent", "claude-code")

    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)
    assert 1 == list_sessions()[0].steps


def test_a_session_of_another_version_starts_again(state):
    run(GOOD, "--agent", "claude-code")
    with sqlite3.connect(state / "sessions.db") as database:
        database.execute("UPDATE sessions SET monitor = ?", (b"\x81\xa6format\x63",))
    database.close()

    done = run(json.dumps(json.loads(GOOD) | {"tool_use_id": "c2"}).encode(), "--agent", "claude-code")

    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)
    assert 1 == list_sessions()[0].steps
    assert "SavedStateError" in read_faults()[0]


def test_a_session_with_unknown_settings_starts_again(state):
    run(GOOD, "--agent", "claude-code", env={**os.environ, "HEADWAY_DETECTORS__EXACT_CYCLE__LIMIT": "4"})
    with sqlite3.connect(state / "sessions.db") as database:
        (kept,) = database.execute("SELECT monitor FROM sessions").fetchone()
        database.execute("UPDATE sessions SET monitor = ?", (kept.replace(b"exact_cycle", b"exact_cycel"),))
    database.close()

    environment = {**os.environ, "HEADWAY_DETECTORS__EXACT_CYCLE__LIMIT": "4"}
    again = json.dumps(json.loads(GOOD) | {"tool_use_id": "c2"}).encode()
    done = run(again, "--agent", "claude-code", env=environment)

    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)
    assert 1 == list_sessions()[0].steps
    assert "exact_cycel" in read_faults()[0]


def test_a_busy_database_is_waited_for(state):
    run(GOOD, "--agent", "claude-code")
    other = sqlite3.connect(state / "sessions.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(
            run, json.dumps(json.loads(GOOD) | {"tool_use_id": "c2"}).encode(), "--agent", "claude-code"
        )
        time.sleep(1)
        assert not waiting.done()
        other.execute("COMMIT")
        done = waiting.result()
    other.close()

    assert (0, b"", b"", []) == (done.returncode, done.stdout, done.stderr, read_faults())
    assert 2 == list_sessions()[0].steps


def test_only_the_user_can_read_stored_data(state):
    run(GOOD, "--agent", "claude-code")
    run(b"hello")

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in [state, *state.iterdir()]}

    assert {"state": 0o700, "sessions.db": 0o600, "faults.log": 0o600} == modes


def test_a_broken_installation_does_not_disturb_the_agent(tmp_path):
    (tmp_path / "sqlite3.py").write_text("raise RuntimeError('broken')")

    done = run(GOOD, "--agent", "claude-code", env={**os.environ, "PYTHONPATH": str(tmp_path)})

    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)
    assert "broken" in read_faults()[0]


def test_a_plugin_that_fails_at_every_step_is_logged_once(tmp_path):
    code = (
        "from headway import Detector\nclass Failing(Detector):\n    def on_step(self, step, session):\n        raise "
    )
    failing = {"failing": "their_module:Failing"}
    installed(tmp_path, "headway.detectors", failing, their_module=code + "KeyError(step.number)\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "HEADWAY_DETECTORS__FAILING__ENABLED": "true"}

    for number in range(3):
        new = {"tool_use_id": f"call-{number}", "tool_input": {"command": f"ls {number}"}}
        done = run(json.dumps({**json.loads(GOOD), **new}).encode(), "--agent", "claude-code", env=environment)
        assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)

    (line,) = read_faults()
    assert " Failing.on_step failed and was skipped: KeyError: " in line and "their_module.py:4" in line
    assert 3 == list_sessions()[0].steps


def test_the_log_has_the_place_of_a_fault_and_no_content():
    run(b'{"session_id": "s", "secret-thing": ' + b"}")
    run(json.dumps({**json.loads(GOOD), "timestamp": 10**400, "cwd": "secret-thing"}).encode(), "--agent", "codex")

    fault, not_understood = sorted(read_faults(), key=lambda line: "not understood" in line)
    assert "OverflowError" in fault and "call.py" in fault and "JSONDecodeError" in not_understood
    assert "secret-thing" not in fault + not_understood


def test_the_log_is_bounded():
    log = Path(fault_logs()[0])
    log.parent.mkdir()
    for _ in range(3):
        with log.open("a") as file:
            file.write("2026-01-01T00:00:00 old\n" * 12_000)
        note_fault("here", ValueError("x"))

    kept = sum(path.stat().st_size for path in log.parent.iterdir())
    assert kept < 600_000 and "here: ValueError: x" in read_faults()[-1]
