"""`headway probe`, run as a user runs it: in a process of its own."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

from tests.command import headway
from tests.probes.projects import BROKEN, project, shop


def probe(*arguments, **environment):
    variables = {"VIRTUAL_ENV": sys.prefix, "COLUMNS": "150", **environment}
    return headway("probe", *arguments, folder=Path.cwd(), text=True, **variables)


def test_the_table_has_metric_value_and_how(tmp_path):
    done = probe(shop(tmp_path, BROKEN))
    rows = [line.split() for line in done.stdout.splitlines() if line.strip()]
    values = {row[0]: row[1] for row in rows if len(row) > 1}

    assert 0 == done.returncode, done.stderr
    assert ["metric", "value", "how"] == rows[0]
    assert ("3", "2", "1") == tuple(values[name] for name in ("tests_failed", "lint_errors", "type_errors"))
    assert "test_count" not in values, "one test file cannot be loaded: nobody knows how many tests there are"
    assert "-m pytest" in done.stdout and "mypy --output=json" in done.stdout
    assert "build" in done.stdout and "nothing found; looked for an npm build script" in done.stdout
    assert "" == done.stderr


def test_json_has_what_was_measured_and_how(tmp_path):
    folder = project(tmp_path, {"a.py": "def f():\n    return 1\n"})
    done = probe(folder, "--format", "json", "--test", "echo '== 2 passed in 0.1s =='")
    document = json.loads(done.stdout)

    assert {"version", "folder", "measured", "readings"} == set(document)
    assert (1, str(tmp_path)) == (document["version"], document["folder"])
    assert {
        "test_count": 2, "tests_passed": 2, "tests_failed": 0, "tests_skipped": 0, "failing_tests": [],
        "tests_exit_code": 0,
        "file_count": 1, "loc_total": 2, "complexity_score": 1.0,
    } == document["measured"]  # fmt: skip
    assert {"probe", "measured", "how", "reason", "seconds"} == set(document["readings"][0])
    assert "echo '== 2 passed in 0.1s =='" == document["readings"][0]["how"]


def test_ids_with_brackets_are_shown_as_they_are(tmp_path):
    printed = "FAILED tests/a.py::test_x[bold] - no\\n= 1 failed in 0.1s ="
    done = probe(tmp_path, "--test", f"printf '= short test summary info =\\n{printed}\\n'")

    assert "tests/a.py::test_x[bold]" in done.stdout


def test_nothing_to_measure_names_what_was_looked_for(tmp_path):
    done = probe(tmp_path)

    assert (2, "") == (done.returncode, done.stdout)
    assert f"nothing could be measured in {tmp_path}" in done.stderr
    assert "pytest or unittest tests" in done.stderr and "a ruff or ESLint configuration" in done.stderr


def test_a_command_that_takes_too_long(tmp_path):
    done = probe(tmp_path, "--test", "sleep 60", "--timeout", "0.5")

    assert 2 == done.returncode
    assert "tests: killed after 0.5 s (sleep 60)" in done.stderr


def test_bad_usage(tmp_path):
    assert 2 == probe(tmp_path / "nowhere").returncode
    assert 2 == probe(tmp_path, "--timeout", "0").returncode


def test_help_teaches():
    text = probe("--help").stdout

    assert "headway probe --test 'poetry run pytest -q'" in text
    assert "Exit codes: 0 something was measured, or listed with --dry; 2 nothing could be measured." in " ".join(
        text.split()
    )


def test_a_terminal_shows_what_is_being_done(tmp_path):
    """On standard error, so that what is for machines stays clean."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", "from headway.cli import main; main()", "probe", tmp_path, "--format", "json"]
    terminal = {**os.environ, "TERM": "xterm"}
    with os.fdopen(ours, "rb", buffering=0) as screen, os.fdopen(theirs, "wb") as stderr:
        done = subprocess.run(
            [*map(str, command), "--test", "echo '= 1 passed in 0.1s ='; sleep 0.5"],
            stdout=subprocess.PIPE, stderr=stderr, env=terminal, timeout=60, check=True,
        )  # fmt: skip
        shown = screen.read(10_000)

    assert b"tests (printed_tests)" in shown
    assert 1 == json.loads(done.stdout)["measured"]["test_count"]


def test_a_dry_run_lists_the_commands_and_runs_none(tmp_path):
    folder = project(tmp_path, {"tests/test_a.py": "open('ran', 'w')\n", "Makefile": "test:\n\ttouch ran\n"})
    listed = probe(folder, "--dry")
    document = json.loads(probe(folder, "--dry", "--format", "json").stdout)

    assert 0 == listed.returncode and "-m pytest" in listed.stdout and "none (Headway reads the files)" in listed.stdout
    assert ["tests", "codebase"] == [plan["name"] for plan in document["plans"] if plan["name"] != "coverage"]
    assert not (tmp_path / "ran").exists() and not list(tmp_path.rglob("ran"))
