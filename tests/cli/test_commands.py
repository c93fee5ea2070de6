"""The command line, run as a user runs it: in a process of its own."""

import array
import fcntl
import json
import os
import re
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import msgspec
import pytest

from headway.cli import run
from headway.cli.app import Commands, first_sentence
from headway.detectors import built_in
from headway.policy import Ladder
from headway.reports.json import ScanDocument
from tests.command import ROOT, headway

EXAMPLES = ROOT / "examples" / "recordings"


def test_scan_tells_what_went_wrong_and_where():
    done = headway("scan", EXAMPLES)
    text = done.stdout.decode()

    assert 1 == done.returncode, done.stderr
    assert "the-edit-that-never-fits" in text and "doom_loop" in text and "steps 8–9" in text
    assert "5 runs, 68 steps: 2 continue, 1 nudge, 2 stop" in text


def test_scan_json_has_the_documented_shape():
    done = headway("scan", EXAMPLES / "round-and-round.jsonl", "--format", "json")
    document = json.loads(done.stdout)

    assert {"version", "runs", "totals"} == set(document)
    (run,) = document["runs"]
    assert {
        "run", "source", "reader", "agent", "model", "steps", "skipped_records", "verdict", "findings", "decisions",
        "spent", "first_stop", "after_stop", "failed_steps", "user_turns", "kinds", "started_at", "ended_at",
        "more_findings", "more_decisions", "agent_id", "unpriced", "tools", "causes", "prompt", "project",
    } == set(run)  # fmt: skip
    assert ("round-and-round", "headway", "example", 18, "stop") == tuple(
        run[key] for key in ("run", "reader", "agent", "steps", "verdict")
    )
    loop = next(finding for finding in run["findings"] if finding["detector"] == "doom_loop")
    assert {
        "detector", "severity", "confidence", "message", "evidence", "identity", "first_step", "last_step", "occurrences",
    } == set(loop)  # fmt: skip
    assert (9, 18, 10) == (loop["first_step"], loop["last_step"], loop["occurrences"])
    assert {"step", "action", "reason", "message"} == set(run["decisions"][0])
    assert {"runs": 1, "steps": 18}.items() <= document["totals"].items()


def test_scan_reads_standard_input():
    recording = (EXAMPLES / "round-and-round.jsonl").read_bytes()
    done = headway("scan", "-", "--format", "json", stdin=recording)
    assert "-" == json.loads(done.stdout)["runs"][0]["source"]


@pytest.mark.parametrize(("fail_on", "code"), [("stop", 1), ("nudge", 1), ("escalate", 0), ("never", 0)])
def test_fail_on_sets_the_exit_code(fail_on, code):
    assert code == headway("scan", EXAMPLES, "--fail-on", fail_on).returncode


def test_a_run_that_was_stopped_fails(tmp_path):
    recording = tmp_path / "stopped.jsonl"
    recording.write_text('{"type": "stopped", "run": "r", "reason": "enough"}\n')
    assert 1 == headway("scan", recording).returncode


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["scan", "no/such/file.jsonl"], "no/such/file.jsonl: no such file or folder"),
        (["scan", "pyproject.toml"], "pyproject.toml: not a recording that Headway knows"),
        (["scan", "src/headway/policy"], "no recordings found in src/headway/policy"),
        (["show"], "Missing argument"),
        (["scan", ".", "--reader", "telepathy"], "telepathy"),
        (["explain", "exact_cicle"], "did you mean 'exact_cycle'?"),
        (["meaning", "Read", "{half"], "not a JSON object"),
        (["zzzzzz"], "No such command 'zzzzzz'; expected one of: allow, "),
        (["scna"], "No such command 'scna'; did you mean 'scan'?"),
        (["install", "claude"], "no agent 'claude'; did you mean 'claude-code'?"),
        (["uninstall", "codx"], "no agent 'codx'; did you mean 'codex'?"),
        (["doctor", "gemni"], "no agent 'gemni'; did you mean 'gemini'?"),
    ],
)
def test_bad_input_is_refused_with_the_reason(arguments, named):
    done = headway(*arguments)
    assert 2 == done.returncode
    assert named in done.stderr.decode()
    assert b"" == done.stdout


def test_what_is_no_recording_in_a_folder_is_passed_over_and_told(tmp_path):
    (tmp_path / "package.json").write_text("{}")
    (tmp_path / "run.jsonl").write_bytes((EXAMPLES / "round-and-round.jsonl").read_bytes())
    done = headway("scan", tmp_path)
    assert 1 == done.returncode
    assert "1 of 2 files skipped: not a recording" in done.stderr.decode()


def test_a_recording_cannot_speak_to_the_terminal(tmp_path):
    """Escape sequences and markup in a transcript are shown as text."""
    evil = "\x1b]0;owned\x07\x1b[2J[bold red]x[/] "
    lines = []
    for n in range(3):
        lines.append(json.dumps({"type": "tool_called", "run": evil, "call": str(n), "tool": evil, "args": {}}))
        lines.append(json.dumps({"type": "tool_returned", "run": evil, "call": str(n), "output": "x"}))
    recording = tmp_path / "evil.jsonl"
    recording.write_text("\n".join(lines))

    text = headway("scan", recording, FORCE_COLOR="1").stdout.decode()
    assert "[bold red]" in text
    assert "\x1b]0;" not in text and "\x1b[2J" not in text


def test_explain_tells_the_four_things_and_the_settings():
    text = headway("explain", "empty_streak").stdout.decode()
    for heading in ("Why it matters:", "Fires:", "Clears:", "Blind to:", "limit = 3"):
        assert heading in text


def test_explain_says_which_findings_are_only_recorded():
    told = "Recorded only by default: the agent gets no nudge (`policy.only_recorded`)"
    lasting = {id for id, kind in built_in().items() if kind.worth_saying}
    for id in Ladder().only_recorded:
        ending = ", unless it lasts very long." if id in lasting else "."
        assert told + ending in headway("explain", id, COLUMNS="300").stdout.decode(), id
    for id in ("exact_cycle", "claim_contradicted"):
        assert "Recorded only" not in headway("explain", id, COLUMNS="300").stdout.decode(), id


def test_explain_names_the_file_in_which_the_wording_can_be_changed():
    (shown,) = re.findall(r"Code: (\S+\.py)", headway("explain", "empty_streak", COLUMNS="300").stdout.decode())
    assert "searches with a known number of hits found nothing" in Path(shown).read_text()
    assert b"Code:" not in headway("explain", "manual_stop").stdout


def test_detectors_lists_them_all():
    listed = json.loads(headway("detectors", "--format", "json").stdout)
    assert {"exact_cycle", "doom_loop", "context_degradation"} <= {one["id"] for one in listed}


def test_the_schema_of_a_report_describes_what_scan_writes():
    schema = json.loads(headway("schema", "report").stdout)
    document = headway("scan", EXAMPLES, "--format", "json").stdout
    run = schema["$defs"]["RunReport"]
    assert set(run["properties"]) == set(json.loads(document)["runs"][0])
    assert {"run", "source", "reader", "agent", "model", "steps", "verdict", "findings"} <= set(run["required"])
    assert 5 == len(msgspec.json.decode(document, type=ScanDocument).runs)


def test_schema_is_a_json_schema_that_knows_the_events():
    schema = json.loads(headway("schema").stdout)
    assert {"ToolCalled", "ToolReturned", "UserSpoke"} <= set(schema["$defs"])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["Read", '{"file_path": "a.py"}'], {"kind": "read", "path": "a.py"}),
        (["Bash", "pytest -q"], {"kind": "test", "command": "pytest -q"}),
        (["sed -n 1,80p src/a.py"], {"kind": "read", "path": "src/a.py", "lines": [1, 80]}),
        (["Bash", "{ echo a; } > f"], {"kind": "write", "path": "f", "changes": True}),
        (["Read", '{ "file_path": "a.py" }'], {"kind": "read", "path": "a.py"}),
    ],
)
def test_meaning_shows_how_a_call_is_read(arguments, expected):
    assert expected.items() <= json.loads(headway("meaning", *arguments).stdout).items()


@pytest.mark.parametrize("arguments", [["--help"], ["scan", "--help"], ["explain", "-h"], ["--version"]])
def test_help_is_there(arguments):
    done = headway(*arguments)
    assert 0 == done.returncode
    assert done.stdout


def test_ctrl_c_ends_with_130():
    process = subprocess.Popen(
        [sys.executable, "-c", "from headway.cli import main; main()", "scan", "-"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    process.stdin.write(b"{")
    process.stdin.flush()
    while array.array("i", fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4)))[0]:  # until it has begun to read
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=100)
    assert (130, b"interrupted") == (process.returncode, said.strip())


def test_ctrl_c_while_modules_are_still_imported_leaves_no_trace():
    program = (
        "import signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "class Impatient:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'click': signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Impatient())\n"
        "from headway.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", program, "detectors"], capture_output=True, check=False)
    assert (130, b"", b"interrupted") == (done.returncode, done.stdout, done.stderr.strip())


def test_config_shows_each_value_and_where_it_came_from(tmp_path):
    (tmp_path / "headway.toml").write_text("[detectors.exact_cycle]\nlimit = 4\nenabled = false\n")
    code = f"import os; os.chdir({str(tmp_path)!r}); from headway.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "config", "--format", "json", "--set", "policy.cool_down=9"],
        capture_output=True,
        env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "none")},
        check=True,
    )
    shown = json.loads(done.stdout)
    assert {"value": 4, "origin": str(tmp_path / "headway.toml")} == shown["detectors.exact_cycle.limit"]
    assert shown["detectors.exact_cycle.enabled"]["value"] is False
    assert {"value": 9, "origin": "command line"} == shown["policy.cool_down"]
    assert {"value": 3, "origin": "default"} == shown["detectors.empty_streak.limit"]
    assert {"value": 8, "origin": "default"} == shown["task_types.edit.max_exploration_iterations"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("exact_cycle", "no setting 'exact_cycle'; did you mean detectors.exact_cycle?"),
        ("loop.untl", "no setting 'loop.untl'; did you mean loop.until or "),
        ("globl", "no setting 'globl'; did you mean global?"),
        ("qqqqqqq", "no setting 'qqqqqqq'; `headway config` lists all settings"),
    ],
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_config_knows_when_there_is_no_such_setting(name, said, form, capsys):
    assert 2 == run(["config", name, "--format", form])
    shown = capsys.readouterr()
    assert "" == shown.out and said in shown.err


def test_config_tells_what_was_changed(capsys):
    assert 0 == run(["config", "detectors", "--changed", "--set", "detectors.exact_cycle.limit=3"])
    assert "" == capsys.readouterr().out
    assert 0 == run(["config", "detectors", "--changed", "--set", "detectors.exact_cycle.limit=4"])
    assert "detectors.exact_cycle.limit = 4  (command line)\n" == capsys.readouterr().out


def test_config_shows_settings_that_nobody_has_given_a_value(capsys):
    assert 0 == run(["config", "loop.until"])
    assert "loop.until = null\n" == capsys.readouterr().out


def test_a_wrong_setting_is_refused_with_its_place():
    done = headway("scan", EXAMPLES, "--set", "detectors.exact_cycle.limt=4")
    assert 2 == done.returncode
    assert "command line: unknown setting detectors.exact_cycle.limt; did you mean 'limit'?" in done.stderr.decode()


def test_attended_escalates():
    assert "2 escalate" in headway("scan", EXAMPLES, "--attended").stdout.decode()


def test_a_recording_of_which_nothing_can_be_read_is_refused_with_the_place(tmp_path):
    recording = tmp_path / "bad.jsonl"
    recording.write_text('{"type": "tool_called", "call": 1}\n{"type": "tool_called"}\n')
    done = headway("scan", recording)
    said = done.stderr.decode()
    assert 2 == done.returncode
    assert (
        "bad.jsonl: recognised as headway, but 2 of its records could not be read, and nothing that was said or done is in the rest; line 1:"
        in said
        and "$.call" in said
    )


def test_a_record_that_could_be_read_is_not_called_unreadable(tmp_path):
    recording = tmp_path / "bad.jsonl"
    recording.write_text('{"type": "run_started"}\n{"type": "tool_called", "call": 1}\n{"type": "tool_called"}\n')
    said = headway("scan", recording).stderr.decode()
    assert "2 of its records could not be read, and nothing that was said or done is in the rest; line 2:" in said


@pytest.mark.parametrize(
    "arguments", [("probe", "--timeout"), ("status", "--since"), ("watch", "--since"), ("watch", "--every")]
)
@pytest.mark.parametrize("value", ["nan", "inf", "-1", "1e999", "x"])
def test_a_number_that_limits_nothing_is_refused(arguments, value, capsys):
    assert 2 == run([*arguments, value])
    assert f"Invalid value for '{arguments[1]}'" in capsys.readouterr().err


def test_help_is_quick_because_it_loads_no_command():
    code = (
        "import sys; sys.argv = ['headway', '--help']\n"
        "from headway.cli import run\n"
        "run(['--help'])\n"
        "print({'rich', 'msgspec', 'headway.cli.scan', 'headway.core'} & sys.modules.keys(), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "set()\n" == done.stderr
    assert re.search(r"^  scan +Find loops and waste in recordings of agents$", done.stdout, re.MULTILINE)


@pytest.mark.parametrize("name", Commands().list_commands(None))
def test_the_list_of_commands_has_the_first_sentence_of_each(name):
    told = Commands().get_command(None, name).help.split("\f")[0].replace("\b", "")
    assert first_sentence(name) and " ".join(told.split()).startswith(first_sentence(name))


def test_no_help_breaks_a_command_to_copy_in_two():
    commands = Commands()
    helps = {name: headway(name, "--help", text=True).stdout for name in commands.list_commands(None)}
    assert [] == [name for name, told in helps.items() if "'headway-\n" in told]
    assert any("pip install 'headway-agents[serve]'" in told for told in helps.values())


def test_what_the_machine_does_not_permit_is_no_fault_of_headway(tmp_path):
    """Nobody may write into /sys, the super-user included."""
    if not Path("/sys").is_dir():
        pytest.skip("this system has no /sys")
    done = headway("loop", "--task", "x", "--until", "false", "--no-tests", "--", "true", folder="/sys")
    assert 2 == done.returncode
    assert done.stderr.startswith(b"Error: /sys/.headway: ") and 1 == done.stderr.count(b"\n")


def test_python_runs_the_package_as_the_command():
    done = subprocess.run([sys.executable, "-m", "headway", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("headway")


def test_explain_knows_each_reason_to_stop_of_a_task():
    for reason in ("tool_budget_exceeded", "loop_detected", "max_iterations", "goal_forcing", "manual_stop"):
        assert 0 == headway("explain", reason).returncode, reason
