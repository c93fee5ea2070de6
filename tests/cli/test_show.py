"""`headway show`: one run, step by step."""

import json

import pytest

from tests.cli.test_commands import EXAMPLES, headway
from tests.reports.scans import Recording, honest, stuck


def test_steps_findings_and_decisions_stand_in_their_place():
    lines = headway("show", EXAMPLES / "round-and-round.jsonl").stdout.decode().splitlines()
    ninth = next(n for n, line in enumerate(lines) if line.startswith("     9  "))
    assert "     9  20:28:31  test     Bash python -m pytest -q" == lines[ninth]
    assert "failed, 5 passed, 1 failed" == lines[ninth + 1].strip()
    assert lines[ninth + 2].strip().startswith("! high doom_loop: The last 9 calls were the same 3 calls 3 times over")
    assert ["> nudge because of doom_loop", "> block the next call because of doom_loop"] == [
        line.strip() for line in lines[ninth + 5 : ninth + 7]
    ]
    assert lines[ninth + 7].startswith("    10  ")
    assert 12 == sum(line[:6].strip().isdigit() for line in lines)


def numbers(*arguments):
    lines = headway("show", *arguments).stdout.decode().splitlines()
    return [int(line[:6]) for line in lines if line[:6].strip().isdigit()]


def test_a_range_of_steps_and_only_those_with_findings():
    recording = EXAMPLES / "round-and-round.jsonl"
    assert [4, 5, 6] == numbers(recording, "--from", 4, "--to", 6)
    only = headway("show", recording, "--only-findings").stdout.decode().splitlines()
    assert ["9", "9", "10", "11", "12"] == [line.split()[0] for line in only if line[:6].strip()]
    assert "    11  20:29:05  before the next call" in only
    assert [] == numbers(recording, "--from", 99)


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
    assert "choose one of several runs with --run:\n  first-run  5 steps\n  second-run  " in said
    assert 5 == len(numbers(both, "--run", "first-run"))
    assert numbers(both, "--run", "sec") == numbers(both, "--run", "second-run")
    missing = headway("show", both, "--run", "third")
    assert 2 == missing.returncode and "there is no run 'third'; there are:" in missing.stderr.decode()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["no/such/file.jsonl"], "no/such/file.jsonl: No such file or directory"),
        (["pyproject.toml"], "pyproject.toml: not a recording that Headway knows"),
        ([], "Missing argument"),
        (["pyproject.toml", "--from", "0"], "0 is not in the range"),
    ],
)
def test_bad_input_is_refused_with_the_reason(arguments, named):
    done = headway("show", *arguments)
    assert (2, b"") == (done.returncode, done.stdout)
    assert named in done.stderr.decode()


def test_standard_input_is_read():
    done = headway("show", "-", "--to", "2", stdin=(EXAMPLES / "round-and-round.jsonl").read_bytes())
    assert 0 == done.returncode and b"Read src/cart.py" in done.stdout
