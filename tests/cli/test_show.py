"""`headway show`: one run, step by step."""

import json
import os
import threading

import pytest

from tests.cli.test_commands import EXAMPLES
from tests.command import headway
from tests.reports.scans import Recording, honest, stuck

RECORDING = EXAMPLES / "round-and-round.jsonl"


def test_a_step_has_number_time_kind_call_and_outcome():
    lines = headway("show", RECORDING).stdout.decode().splitlines()
    place = lines.index("     9  20:28:31  test     Bash python -m pytest -q")
    assert "failed, 5 passed, 1 failed" == lines[place + 1].strip()
    assert list(range(1, 19)) == [int(line[:6]) for line in lines if line[:6].strip()]


def told(*arguments):
    """The steps that are shown, and what was found and decided at each."""
    number, found, decided = 0, [], []
    for line in headway("show", *arguments).stdout.decode().splitlines():
        number = int(line[:6]) if line[:6].strip() else number
        mark, *words = line.split(maxsplit=3)
        if mark == "!":
            found.append((number, words[1].rstrip(":")))
        elif mark == ">":
            decided.append((number, words[0], line.split()[-1]))
    return found, decided


def reported(recording):
    """The same, as `headway scan` reports it."""
    (run,) = json.loads(headway("scan", recording, "--format", "json").stdout)["runs"]
    found = [(one["first_step"], one["detector"]) for one in run["findings"] if one["severity"] != "low"]
    return found, [(one["step"], one["action"], one["reason"]) for one in run["decisions"]]


def earliest(found):
    """The first step of each detector."""
    return {detector: min(step for step, other in found if other == detector) for _, detector in found}


@pytest.mark.parametrize("name", ["round-and-round", "the-edit-that-never-fits", "searching-for-what-is-not-there"])
def test_findings_and_decisions_stand_where_scan_reports_them(name):
    found, decided = told(EXAMPLES / f"{name}.jsonl")
    expected_found, expected_decided = reported(EXAMPLES / f"{name}.jsonl")
    assert decided == expected_decided and decided
    shown, known = earliest(found), earliest(expected_found)
    assert shown.keys() == known.keys() and known
    assert all(step <= shown[detector] for detector, step in known.items())  # it may have begun below what is shown
    assert (found, decided) == told(EXAMPLES / f"{name}.jsonl", "--only-findings")


def numbers(*arguments):
    lines = headway("show", *arguments).stdout.decode().splitlines()
    return [int(line[:6]) for line in lines if line[:6].strip().isdigit()]


def test_a_range_of_steps_and_only_those_with_findings():
    assert [4, 5, 6] == numbers(RECORDING, "--from", 4, "--to", 6)
    found, decided = told(RECORDING)
    assert {step for step, *_ in found + decided} == set(numbers(RECORDING, "--only-findings"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([RECORDING, "--from", 99], "no step to show; the run has 18 steps\n"),
        (
            [EXAMPLES / "edit-test-edit-test.jsonl", "--only-findings"],
            "no step with a finding or a decision to show; the run has 16 steps\n",
        ),
    ],
    ids=["beyond the end", "nothing found"],
)
def test_where_there_is_nothing_to_show_that_is_said(arguments, said):
    done = headway("show", *arguments, text=True)
    assert (0, "", said) == (done.returncode, done.stdout, done.stderr)


def test_weak_findings_are_shown_on_request_and_settings_count():
    names = {name for _, name in told(RECORDING)[0]}
    assert {"doom_loop", "test_rerun"} <= names and "repeated_error" not in names
    assert "repeated_error" in {name for _, name in told(RECORDING, "--min-severity", "low")[0]}
    without = told(RECORDING, "--set", "detectors.doom_loop.enabled=false")[0]
    assert "doom_loop" not in {name for _, name in without} and without


def test_the_users_words_and_compactions_are_told(tmp_path):
    recording = Recording("r").user("please look").call("Read", {"file_path": "a.py"}, "x").add("context_compacted")
    text = headway("show", recording.write(tmp_path)).stdout.decode()
    assert text.index("the user: please look") < text.index("Read a.py") < text.index("the context was compacted")


def test_secrets_are_masked_and_control_characters_gone(tmp_path):
    recording = Recording("r").user("use password=hunter2 please\x1b[2J")
    recording.bash("curl -u me:hunter2 http://x", "Authorization: Bearer hunter2hunter2\x1b]0;owned\x07")
    text = headway("show", recording.write(tmp_path), FORCE_COLOR="1").stdout.decode()
    assert "hunter2" not in text and text.count("[masked]") == 3
    assert "\x1b[2J" not in text and "\x1b]0" not in text


def test_one_of_several_runs_is_chosen(tmp_path):
    both = tmp_path / "both.jsonl"
    lines = honest("first-run", 3, 1).lines + stuck("second-run", 5, 1).lines
    both.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = headway("show", both)
    said = done.stderr.decode()
    assert (2, b"") == (done.returncode, done.stdout)
    assert "several runs; choose one with --run:\n  first-run  5 steps\n  second-run  " in said
    assert 5 == len(numbers(both, "--run", "first-run"))
    assert numbers(both, "--run", "sec") == numbers(both, "--run", "second-run")
    missing = headway("show", both, "--run", "third")
    assert 2 == missing.returncode and "no run 'third'; the runs are:" in missing.stderr.decode()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["no/such/file.jsonl"], "no/such/file.jsonl: no such file or folder"),
        (["pyproject.toml"], "pyproject.toml: not a recording that Headway knows"),
        ([], "Missing argument"),
        (["pyproject.toml", "--from", "0"], "0 is not in the range"),
        (["pyproject.toml", "--from", "9", "--to", "7"], "--to 7 is before --from 9"),
    ],
)
def test_bad_input_is_refused_with_the_reason(arguments, named):
    done = headway("show", *arguments)
    assert (2, b"") == (done.returncode, done.stdout)
    assert named in done.stderr.decode()


def test_standard_input_is_read():
    done = headway("show", "-", "--to", "2", stdin=(EXAMPLES / "round-and-round.jsonl").read_bytes())
    assert 0 == done.returncode and b"Read src/cart.py" in done.stdout


def test_of_a_folder_its_one_recording_is_shown_or_one_has_to_be_named(tmp_path):
    done = headway("show", tmp_path)
    assert (2, f"Error: {tmp_path}: no recording found in this folder\n") == (done.returncode, done.stderr.decode())
    first = honest("first", 3, 1).write(tmp_path)
    assert headway("show", first).stdout == headway("show", tmp_path).stdout
    second = honest("second", 3, 1).write(tmp_path)
    said = headway("show", tmp_path).stderr.decode()
    assert f"{tmp_path}: the folder has several recordings; name one:\n  {first}\n  {second}\n" in said


def test_a_pipe_that_can_be_read_only_once_is_enough(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    feeding = threading.Thread(target=pipe.write_bytes, args=(RECORDING.read_bytes(),))
    feeding.start()
    assert headway("show", RECORDING).stdout == headway("show", pipe).stdout
    feeding.join()
