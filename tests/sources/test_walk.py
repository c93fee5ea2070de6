"""Folders with things in them that cannot be read, or are called what no text can say."""

import os
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from headway.sources import Source, UnreadableError, readable, sources_in
from tests.conftest import LONG

LINES = b'{"a": 1}\n'


def test_a_folder_that_cannot_be_looked_into_is_told_and_the_others_are_read(too_deep):
    (too_deep / "a.jsonl").write_bytes(LINES)
    (too_deep / "z").mkdir()
    (too_deep / "z" / "b.jsonl").write_bytes(LINES)
    read, close_json = [], []
    for source in sources_in(too_deep):
        try:
            read += source.records()
        except OSError as error:
            close_json.append((source.name, error.strerror))
    assert [{"a": 1}] * 2 == read
    assert [(LONG, "File name too long")] == [(name.rpartition("/")[2], why) for name, why in close_json]


@pytest.mark.skipif(os.geteuid() == 0, reason="the super-user may look everywhere")
@pytest.mark.parametrize("mode", [0o000, 0o444])
def test_a_folder_that_is_somebody_elses_is_told(tmp_path, mode):
    folder = tmp_path / "private"
    folder.mkdir()
    (folder / "a.jsonl").write_bytes(LINES)
    folder.chmod(mode)
    try:
        (source,) = sources_in(tmp_path)
        with pytest.raises(PermissionError):
            source.head()
    finally:
        folder.chmod(0o700)


def test_a_link_that_leads_nowhere_is_passed_over(tmp_path):
    (tmp_path / "a.jsonl").symlink_to("b.jsonl")
    (tmp_path / "b.jsonl").symlink_to("a.jsonl")
    (tmp_path / "c.jsonl").symlink_to("gone")
    assert [] == list(sources_in(tmp_path))


@pytest.mark.skipif(os.name == "nt" or os.uname().sysname == "Darwin", reason="names are Unicode on this system")
def test_a_name_may_hold_any_bytes(tmp_path):
    path = tmp_path / os.fsdecode(b"\xff\xfe.jsonl")
    path.write_bytes(LINES)
    (source,) = sources_in(tmp_path)
    assert f"{tmp_path}/\ufffd\ufffd.jsonl" == source.name == readable(path)
    assert [{"a": 1}] == list(source.records())


@pytest.mark.skipif(os.name == "nt" or os.uname().sysname == "Darwin", reason="names are Unicode on this system")
def test_so_may_the_name_of_a_database(tmp_path):
    path = tmp_path / os.fsdecode(b"\xff.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE message (data TEXT)")
    assert ("message",) == Source(path).names


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null"])
def test_a_device_is_no_recording(device, tmp_path):
    """Some devices never end. A link to one is not followed either."""
    (tmp_path / "a.jsonl").symlink_to(device)
    for path in (Path(device), tmp_path / "a.jsonl"):
        with pytest.raises(UnreadableError, match="it is a device and not a recording"):
            list(sources_in(path))
    assert [] == list(sources_in(tmp_path))


def test_a_pipe_is_read_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=[LINES])
    writer.start()
    (source,) = sources_in(tmp_path / "pipe")
    writer.join()
    assert [{"a": 1}] == list(source.records()) == list(source.records())
