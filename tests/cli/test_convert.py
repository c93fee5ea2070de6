"""`headway convert`, run as a user runs it."""

import json

import pytest

from headway.readers import read
from headway.sources import Source
from tests.cli.test_commands import EXAMPLES
from tests.command import headway
from tests.readers.samples_read import SAMPLES

ONE = EXAMPLES / "round-and-round.jsonl"


@pytest.mark.parametrize(
    "name", ["openai-chat/conversations.jsonl", "inspect-log/two-samples.eval", "atif/two-agents.json"]
)
def test_events_read_back_to_the_same_events(name, tmp_path):
    done = headway("convert", SAMPLES / name, "--to", "events", "-o", tmp_path / "out.jsonl")
    assert (0, b"") == (done.returncode, done.stdout), done.stderr
    assert list(read(Source(SAMPLES / name))) == list(read(Source(tmp_path / "out.jsonl")))


def test_from_standard_input_to_standard_output_and_back():
    first = headway("convert", "-", "--to", "atif", stdin=ONE.read_bytes())
    assert "ATIF-v1.7" == json.loads(first.stdout)["schema_version"]
    second = headway("convert", "-", "--to", "events", stdin=first.stdout)
    assert b"tool_called" in second.stdout
    assert (0, 0) == (first.returncode, second.returncode)


def test_several_runs_are_one_on_each_line():
    done = headway("convert", EXAMPLES, "--to", "atif")
    names = [json.loads(line)["session_id"] for line in done.stdout.splitlines()]
    assert len(names) == len(set(names)) == len(list(EXAMPLES.glob("*.jsonl")))


def test_runs_without_a_name_are_kept_apart_by_their_files(tmp_path):
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_bytes((SAMPLES / "openai-chat" / "list.json").read_bytes())
    done = headway("convert", tmp_path, "--to", "events")
    assert {str(tmp_path / "a.json"), str(tmp_path / "b.json")} == {
        json.loads(line)["run"] for line in done.stdout.splitlines()
    }


def test_runs_with_the_same_name_are_kept_apart_by_their_files(tmp_path):
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_bytes(ONE.read_bytes())
    done = headway("convert", tmp_path, "--to", "atif")
    names = [json.loads(line)["session_id"] for line in done.stdout.splitlines()]
    assert ["round-and-round", f"{tmp_path / 'b.jsonl'}#round-and-round"] == names


def test_a_file_is_replaced_only_when_everything_was_written(tmp_path):
    out = tmp_path / "out.jsonl"
    out.write_text("what was there")
    (tmp_path / "bad.json").write_text("hello")
    done = headway("convert", ONE, tmp_path / "bad.json", "--to", "events", "-o", out)
    assert 2 == done.returncode
    assert b"bad.json: not a recording that Headway knows" in done.stderr
    assert ("what was there", 2) == (out.read_text(), len(list(tmp_path.iterdir())))


def test_what_cannot_be_read_in_a_folder_is_named_and_the_rest_written(tmp_path):
    folder, out = tmp_path / "runs", tmp_path / "out.jsonl"
    folder.mkdir()
    for name in ("a.jsonl", "c.jsonl"):
        (folder / name).write_bytes(ONE.read_bytes())
    (folder / "b.jsonl.gz").write_bytes(b"not packed at all")
    done = headway("convert", folder, "--to", "atif", "--out", out)
    assert (2, 2) == (done.returncode, len(out.read_text().splitlines()))
    assert f"Error: {folder / 'b.jsonl.gz'}: the compressed file is damaged" in done.stderr.decode()
    assert b"passed over" not in done.stderr
    for name in ("a.jsonl", "c.jsonl"):
        (folder / name).unlink()
    out.write_text("what was there")
    assert 2 == headway("convert", folder, "--to", "atif", "--out", out).returncode
    assert "what was there" == out.read_text()


def test_what_is_no_recording_in_a_folder_is_passed_over_and_told(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(ONE.read_bytes())
    (tmp_path / "package.json").write_text('{"name": "something"}')
    done = headway("convert", tmp_path, "--to", "atif")
    assert (0, 1) == (done.returncode, len(done.stdout.splitlines()))
    assert b"1 of 2 files skipped: not a recording" in done.stderr
    (tmp_path / "a.jsonl").unlink()
    assert b"no recordings found in" in headway("convert", tmp_path, "--to", "atif").stderr


def test_what_was_skipped_is_told(tmp_path):
    (tmp_path / "half.jsonl").write_bytes(ONE.read_bytes()[:-30])
    done = headway("convert", tmp_path / "half.jsonl", "--to", "events")
    assert 0 == done.returncode
    assert b"1 record could not be read; the first: line" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nowhere.jsonl", "--to", "atif"), b"nowhere.jsonl: no such file or folder"),
        ((ONE,), b"Missing option '--to'"),
        ((ONE, "--to", "atif", "--reader", "nobody"), b"no reader 'nobody'"),
        (("-", "--to", "events"), b"the file is empty"),
    ],
)
def test_bad_usage_is_explained(arguments, told):
    done = headway("convert", *arguments, stdin=b"")
    assert 2 == done.returncode
    assert told in done.stderr
