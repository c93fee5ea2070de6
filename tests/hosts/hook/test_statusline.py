"""The status line of Claude Code: state, cost and minutes of one session."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from headway.cli import run
from headway.hosts.hook.statusline import line, main
from headway.store.faults import read_faults

from .programs import Program, ask

TOLD = {"session_id": "s1", "cwd": "/p", "cost": {"total_cost_usd": 0.4213, "total_duration_ms": 725_000}}
HEADWAY = str(Path(sys.executable).parent / "headway")


def shown(**fields):
    return re.sub(r"\033\[\d+m", "", line({**TOLD, **fields}, time.time()))


def test_before_the_first_event_only_cost_and_minutes_are_known():
    assert "Headway: not watched yet · $0.42 · 12 min" == shown()


def test_the_state_follows_the_session():
    program = Program("claude-code", mode="nudge")
    program.prompt("please do it")
    assert "Headway: working · $0.42 · 12 min" == shown()
    for _ in range(3):
        program.step("cat notes.txt", "nothing new")
    assert "Headway: looping (exact_cycle) · $0.42 · 12 min" == shown()
    asked = {"hook_event_name": "Notification", "session_id": "s1", "notification_type": "permission_prompt"}
    ask(asked | {"message": "Claude needs your permission to use Bash"}, "claude-code")
    assert "Headway: needs you · $0.42 · 12 min" == shown()
    program.step("make", "built")
    program.end("done")
    assert "Headway: idle · $0.42 · 12 min" == shown()
    ask({"hook_event_name": "SessionEnd", "session_id": "s1", "reason": "other"}, "claude-code")
    assert "Headway: done" in shown()


def test_a_session_that_is_off_says_so(capsys):
    Program("claude-code").step("make", "built")
    run(["off", "s1"])
    assert "Headway: working, Headway is off · " in shown()


@pytest.mark.parametrize("cost", [None, 7, {}, {"total_cost_usd": "much"}])
def test_values_missing_from_claude_code_are_left_out(cost):
    assert "Headway: not watched yet" == shown(cost=cost)


def test_a_finished_turn_is_not_reported_as_waiting():
    """Claude Code sends such a notification a minute after each turn."""
    program = Program("claude-code")
    program.step("make", "built")
    program.end("done")
    idle = {"hook_event_name": "Notification", "session_id": "s1", "notification_type": "idle_prompt"}
    assert {} == ask(idle | {"message": "Claude is waiting for your input"}, "claude-code")
    assert "Headway: idle" in shown()


@pytest.mark.parametrize("tool", ["AskUserQuestion", "ExitPlanMode"])
def test_a_question_of_the_agent_needs_you(tool):
    program = Program("claude-code")
    program.step("make", "built")
    asked = {"hook_event_name": "PreToolUse", "session_id": "s1", "tool_name": tool, "tool_input": {}}
    ask(asked | {"tool_use_id": "q1", "cwd": "/p"}, "claude-code")
    assert "Headway: needs you" in shown()


def test_no_fault_reaches_claude_code(monkeypatch, capsys):
    done = subprocess.run([HEADWAY, "statusline"], input=b"not json", capture_output=True, timeout=60, check=False)
    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)
    assert "the status line failed: JSONDecodeError" in read_faults()[-1]


def test_the_program_prints_one_line():
    done = subprocess.run(
        [HEADWAY, "statusline"], input=json.dumps(TOLD).encode(), capture_output=True, timeout=60, check=False
    )
    assert "Headway: not watched yet · $0.42 · 12 min\n" == done.stdout.decode()


def test_the_status_line_imports_less_than_the_hook():
    loaded = subprocess.run(
        [sys.executable, "-c", "import sys, headway.hosts.hook.statusline; print(*sys.modules)"],
        capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    assert not {"msgspec", "click", "rich", "typing"} & set(loaded)
    assert len([name for name in loaded if name.partition(".")[0] == "headway"]) <= 8


def test_help(capsys):
    assert 0 == main(["--help"])
    assert "Usage: headway statusline" in capsys.readouterr().out
