"""Readers of other packages that fail in the middle of a recording: what they read before counts."""

import json

import pytest

from tests.command import headway
from tests.packages import installed

READER = """
from headway import ToolCalled, ToolReturned

class Theirs:
    name = "theirs"
    title = "Their agent's log"

    def recognises(self, head):
        return "theirs" in head.first

    def read(self, source):
        for record in source.records():
            if "odd" in record:
                yield record["odd"]
            yield ToolCalled(run="r", call=record["theirs"], tool="ls")
            yield ToolReturned(run="r", call=record["theirs"], output=record["theirs"])
        if source.skipped:
            raise OSError(5, "disk on fire")
"""
TOLD = "the reader theirs (their_module) failed at line 3: KeyError: 'theirs'"


@pytest.fixture
def package(tmp_path):
    return installed(tmp_path, "headway.readers", {"theirs": "their_module:Theirs"}, their_module=READER)


def recorded(folder, *records, name="their.jsonl"):
    path = folder / name
    path.write_text("".join(record if isinstance(record, str) else json.dumps(record) + "\n" for record in records))
    return path


def scanned(package, path, code):
    done = headway("scan", path, "--format", "json", PYTHONPATH=str(package))
    assert code == done.returncode
    return json.loads(done.stdout), done.stderr.decode()


CALLS = [{"theirs": "a"}, {"theirs": "b"}]
FAULTY = [*CALLS, {"other": 1}, {"theirs": "c"}]


def test_what_was_read_before_is_reported_and_the_fault_named_once(package):
    path = recorded(package, *FAULTY)
    found, said = scanned(package, path, 2)
    assert [(2, 1)] == [(run["steps"], run["skipped_records"]) for run in found["runs"]]
    assert f"Error: {path}: {TOLD}\n" == said
    assert [f"{path}: {TOLD}"] == found["totals"]["troubles"]


def test_other_recordings_of_a_folder_are_reported_too(package):
    folder = package / "logs"
    folder.mkdir()
    recorded(folder, *FAULTY, name="a.jsonl")
    recorded(folder, *CALLS, *CALLS, name="b.jsonl")
    found, said = scanned(package, folder, 2)
    assert [2, 4] == [run["steps"] for run in found["runs"]]
    assert f"Error: {folder / 'a.jsonl'}: {TOLD}\n" == said


def test_one_that_fails_before_it_has_read_anything(package):
    path = recorded(package, {"theirs": None})
    done = headway("scan", path, PYTHONPATH=str(package))
    assert (2, b"") == (done.returncode, done.stdout)
    assert f"Error: {path}: the reader theirs (their_module) failed at line 1: EventError: " in done.stderr.decode()


def test_one_that_yields_something_else_than_events(package):
    found, said = scanned(package, recorded(package, *CALLS, {"odd": {"type": "tool_called"}}), 2)
    assert 2 == found["runs"][0]["steps"]
    assert said.endswith("failed at line 3: TypeError: it yields dict, which is not an event\n")


def test_one_that_runs_into_the_system(package):
    found, said = scanned(package, recorded(package, *CALLS, "{half"), 2)
    assert [(2, 2)] == [(run["steps"], run["skipped_records"]) for run in found["runs"]]
    assert said.endswith("failed at line 3: OSError: [Errno 5] disk on fire\n")


def test_show_and_convert_go_as_far_as_it_did(package):
    path = recorded(package, *FAULTY)
    shown = headway("show", path, PYTHONPATH=str(package))
    assert (2, 2, f"Error: {path}: {TOLD}\n") == (shown.returncode, shown.stdout.count(b" ls"), shown.stderr.decode())
    out = package / "events.jsonl"
    written = headway("convert", path, "--to", "events", "-o", out, PYTHONPATH=str(package))
    assert (2, f"Error: {path}: {TOLD}\n") == (written.returncode, written.stderr.decode())
    assert 4 == len(out.read_text().splitlines())
