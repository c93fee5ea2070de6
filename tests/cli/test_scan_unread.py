"""A recording that is recognised, but from which nothing can be read, is told as that; and costs the others nothing."""

import json

import pytest

from headway.cli import run
from tests.cli.test_commands import EXAMPLES
from tests.readers.samples_read import SAMPLES, lines

EMPTY = lines({"type": "summary", "summary": "Fix it", "leafUuid": "u1"})
CUT_OFF = (SAMPLES / "mini-swe-agent/two-looks.traj.json").read_bytes()[:-200]
NO_RECORDING = b'{"a": 1}\n'
WHY = "recognised as mini-swe-agent, but 1 of its records could not be read"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "cut-off.traj.json").write_bytes(CUT_OFF)
    (tmp_path / "empty.jsonl").write_bytes(EMPTY)
    (tmp_path / "other.json").write_bytes(NO_RECORDING)
    (tmp_path / "whole.jsonl").write_bytes((EXAMPLES / "searching-for-what-is-not-there.jsonl").read_bytes())
    return tmp_path


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_every_report_names_it(folder, form, capsys):
    assert 2 == run(["scan", str(folder), "--format", form])
    told = capsys.readouterr()
    page = " ".join(told.out.split())
    assert (
        "Recognised, but no message and no call could be read" in page
        and "2 recordings recognised, but no message and no call could be read" in page
    )
    assert WHY.replace("-", "\\-") in page or WHY in page
    assert "nothing that was said or done is in it" in page
    assert "2 of 4 files skipped: no message and no call could be read\n" in told.err
    assert "1 of 4 files skipped: not a recording\n" in told.err


def test_json_has_it_in_the_totals(folder, capsys):
    assert 2 == run(["scan", str(folder), "--format", "json"])
    totals = json.loads(capsys.readouterr().out)["totals"]
    assert (1, 4, 1, 2) == tuple(totals[name] for name in ("runs", "files", "files_passed_over", "files_unread"))
    assert WHY in totals["unread"][0] and "empty.jsonl: recognised as claude-code" in totals["unread"][1]


def test_an_empty_one_is_no_reason_to_fail(folder, capsys):
    (folder / "cut-off.traj.json").unlink()
    assert 0 == run(["scan", str(folder)])
    assert "1 recording recognised, but no message and no call could be read" in " ".join(
        capsys.readouterr().out.split()
    )


@pytest.mark.parametrize("form", ["text", "json"])
def test_where_nothing_else_is_there_the_report_still_says_so(folder, form, capsys):
    (folder / "whole.jsonl").unlink()
    assert 2 == run(["scan", str(folder), "--format", form])
    told = capsys.readouterr()
    assert "nothing that was said or done is in it" in " ".join(told.out.split())
    assert "no recordings found" not in told.err and "no run is of that time" not in told.err


def test_named_itself_it_is_refused(folder, capsys):
    assert 2 == run(["scan", str(folder / "empty.jsonl")])
    assert "recognised as claude-code, but nothing that was said or done is in it" in capsys.readouterr().err


def test_without_content_nothing_is_quoted_from_it(folder, capsys):
    (folder / "quoting.jsonl").write_bytes(
        lines({"type": "tool_called", "call": "a secret", "tool": 3, "args": "secret"})
    )
    assert 2 == run(["scan", str(folder), "--no-content", "--format", "json"])
    assert "secret" not in capsys.readouterr().out


def test_convert_tells_it_apart_too(folder, capsys):
    assert 2 == run(["convert", str(folder), "--to", "events"])
    told = capsys.readouterr().err
    assert WHY in told and "empty.jsonl: recognised as claude-code, but nothing" in told
    assert "1 of 4 files skipped: not a recording\n" in told
    (folder / "cut-off.traj.json").unlink()
    assert 0 == run(["convert", str(folder), "--to", "events"])


def test_show_says_why(folder, capsys):
    assert 2 == run(["show", str(folder / "cut-off.traj.json")])
    assert WHY in capsys.readouterr().err
