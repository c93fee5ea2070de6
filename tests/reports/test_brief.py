"""A step in a few words."""

import pytest

from headway import Monitor
from headway.reports.brief import call_in_brief, outcome_in_brief, status


def step(tool, args, output="", **result):
    monitor = Monitor(root="/home/dev/project")
    monitor.called(tool, args, call="1")
    monitor.returned("1", output, **result)
    return monitor.session.steps[-1]


@pytest.mark.parametrize(
    ("tool", "args", "brief"),
    [
        ("Bash", {"command": "pytest  -q | tail -5", "description": "run tests"}, "Bash pytest -q | tail -5"),
        ("Read", {"file_path": "/home/dev/project/src/a.py", "offset": 10, "limit": 5}, "Read src/a.py:10–14"),
        ("Grep", {"pattern": "def x", "path": "src"}, "Grep 'def x' src"),
        ("mcp__shop__order", {"id": 7, "note": "two\nlines"}, "mcp__shop__order id=7 note=two lines"),
        ("Bash", {"command": "login --password hunter2"}, "Bash login --password [masked]"),
        ("odd", {}, "odd"),
    ],
)
def test_a_call_names_its_tool_and_what_was_asked_for(tool, args, brief):
    assert brief == call_in_brief(step(tool, args))


@pytest.mark.parametrize(
    ("tool", "output", "result", "brief"),
    [
        ("Bash", "hello\nworld", {}, "ok: hello"),
        ("Bash", "\n\n", {}, "ok"),
        ("Bash", "", {}, "ok, no output"),
        ("Bash", "no such file", {"exit_code": 2}, "failed (exit 2): no such file"),
        ("Bash", "1 failed, 9 passed in 0.5s", {"failed": True}, "failed, 9 passed, 1 failed"),
        ("Edit", "not allowed", {"denied": True}, "refused: not allowed"),
        ("Grep", "", {}, "ok, nothing found"),
        ("Grep", "a.py:1: x\nb.py:2: x", {}, "ok, 2 found: a.py:1: x"),
        ("Bash", "Exit code: 1\nOutput:\nboom", {"exit_code": 1}, "failed (exit 1): boom"),
    ],
)
def test_an_outcome_says_how_it_ended_and_the_line_that_tells_most(tool, output, result, brief):
    args = {"command": "pytest -q"} if tool == "Bash" else {"pattern": "x", "file_path": "a"}
    assert brief == outcome_in_brief(step(tool, args, output, **result))


def test_the_status_alone_quotes_nothing():
    assert "failed (exit 3)" == status(step("Bash", {"command": "x"}, "secret words", exit_code=3))


def test_both_are_short():
    long = step("Bash", {"command": "echo " + "word " * 500}, "line " * 500)
    assert len(call_in_brief(long)) <= 160 >= len(outcome_in_brief(long))
