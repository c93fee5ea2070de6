"""Recordings behind URLs, on fsspec's storage in memory: fetched when they are read, and nothing stays behind."""

import pickle
import tempfile

import fsspec
import pytest

from headway.cli import run
from headway.readers import is_recording, recordings_in
from headway.sources import UnreadableError
from headway.sources.remote import RemoteSource, remote_sources
from headway.sources.storage import LocalFolder, Stored, path_of, storage_at
from headway.study.scan import ScanOptions, scan_one
from tests.readers.samples_read import SAMPLES, database_of
from tests.reports.scans import honest


@pytest.fixture
def memory():
    system = fsspec.filesystem("memory")
    yield system
    system.rm("/", recursive=True)
    system.pseudo_dirs[:] = [""]


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """The folder for temporary files, to see what stays in it."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def copied(memory, top, place):
    for path in top.rglob("*"):
        if path.is_file():
            memory.pipe_file(f"{place}/{path.relative_to(top).as_posix()}", path.read_bytes())


@pytest.mark.parametrize(
    "folder", ["kimi", "openhands", "droid", "cline", "grok", "inspect-log", "antigravity", "atif"]
)
def test_folders_databases_and_archives_are_found_and_read_as_on_disk(memory, temporary, folder):
    copied(memory, SAMPLES / folder, f"/bucket/{folder}")
    local = [scan_one(source, ScanOptions()) for source in recordings_in(SAMPLES / folder)]
    remote = [scan_one(source, ScanOptions()) for source in remote_sources(f"memory://bucket/{folder}", is_recording)]
    found = [
        [[(one.report.steps, one.report.spent, one.report.model, one.report.run.split("/")[-1]) for one in file.runs] for file in files]
        for files in (local, remote)
    ]  # fmt: skip
    assert found[0] == found[1] and any(found[0])
    assert [] == list(temporary.iterdir())


def test_a_database_is_read(memory):
    memory.pipe_file("/bucket/crush.db", database_of(SAMPLES / "crush" / "crush.sql"))
    (source,) = remote_sources("memory://bucket", is_recording)
    assert scan_one(source, ScanOptions()).runs


def test_a_url_can_name_one_file(memory, tmp_path):
    memory.pipe_file("/bucket/a/one.jsonl", honest("one", 2, 1).write(tmp_path).read_bytes())
    memory.pipe_file("/bucket/a/two.jsonl", b"")
    (source,) = remote_sources("memory://bucket/a/one.jsonl", is_recording)
    assert "memory://bucket/a/one.jsonl" == source.name and 1 == len(scan_one(source, ScanOptions()).runs)


def test_nothing_is_fetched_before_it_is_read(memory, temporary, tmp_path):
    memory.pipe_file("/bucket/one.jsonl", honest("one", 2, 1).write(tmp_path).read_bytes())
    (source,) = remote_sources("memory://bucket", is_recording)
    copy = pickle.loads(pickle.dumps(source))
    assert source.size > 100 and source.version == copy.version and not source.is_folder
    assert [] == list(temporary.iterdir())
    assert copy.path.read_bytes() and 1 == len(list(temporary.iterdir()))
    copy.close()
    assert [] == list(temporary.iterdir())


def test_no_name_leads_out_of_the_temporary_folder(memory, temporary):
    source = RemoteSource("memory://bucket", "../../../evil.jsonl", (Stored("../../../evil.jsonl", 1, ""),))
    memory.pipe_file("/bucket/../../../evil.jsonl", b"x")
    assert temporary in source.path.parents and ".." not in source.path.parts
    source.close()


def test_what_is_gone_is_told(memory, temporary):
    source = RemoteSource("memory://bucket", "gone.jsonl", (Stored("gone.jsonl", 1, ""),))
    assert "memory://bucket: there is no gone.jsonl" in scan_one(source, ScanOptions()).trouble
    assert [] == list(temporary.iterdir())


def test_a_scan_reads_packs_and_reports_behind_urls(memory, temporary, tmp_path, capfd):
    memory.pipe_file("/bucket/runs/one.jsonl", honest("one", 2, 1).write(tmp_path).read_bytes())
    assert 0 == run(["scan", "memory://bucket/runs", "--jobs", "1", "--format", "json"])
    assert "memory://bucket/runs/one.jsonl" in capfd.readouterr().out
    assert 0 == run(["pack", "memory://bucket/runs", "memory://bucket/packed"])
    assert ["/bucket/packed/sessions-00000.parquet"] == memory.find("/bucket/packed")
    assert 0 == run(["scan", "memory://bucket/packed", "-o", "memory://bucket/results", "--dry-run"])
    assert capfd.readouterr().out.startswith("1 shard, ")
    assert 0 == run(["convert", "memory://bucket/runs", "--to", "events"])
    assert capfd.readouterr().out.startswith('{"type":"run_started",') and [] == list(temporary.iterdir())
    assert 2 == run(["scan", "memory://bucket/nothing"])
    assert "memory://bucket/nothing" in capfd.readouterr().err
    assert 2 == run(["report", "memory://bucket/nothing"])


def test_file_urls_are_paths(tmp_path, capfd):
    honest("one", 2, 1).write(tmp_path)
    assert "/a b" == path_of("file:///a%20b") and isinstance(storage_at("file:///x"), LocalFolder)
    assert 0 == run(["scan", f"file://{tmp_path}", "--format", "json"])
    assert f"{tmp_path}/one.jsonl" in capfd.readouterr().out


def test_an_unknown_kind_of_url_is_told(capfd):
    assert 2 == run(["scan", "what://bucket/x"])
    assert "what://bucket/x" in capfd.readouterr().err
    with pytest.raises(UnreadableError, match="what"):
        storage_at("what://bucket")


def test_a_file_in_a_folder_appears_as_a_whole(tmp_path):
    storage = LocalFolder(str(tmp_path / "out"))
    with pytest.raises(FileNotFoundError):
        storage.put(tmp_path / "gone", "x/y")
    assert [] == storage.files() and [] == [path for path in tmp_path.rglob("*") if path.is_file()]
    storage.write("x/y", b"1")
    assert b"1" == storage.read("x/y") and storage.read("x/z") is None
    assert ["x/y"] == [file.name for file in storage.files("x")]
    storage.remove("x/y")
    storage.remove("x/y")
    assert [] == storage.files()


def test_storage_that_cannot_be_reached_is_told_in_one_line(memory, monkeypatch, capsys):
    def unreachable(path, **options):
        raise RuntimeError("could not connect")

    monkeypatch.setattr(type(memory), "cat_file", staticmethod(unreachable))
    assert 2 == run(["report", "memory://bucket/results"])
    assert "Error: memory://bucket/results: could not connect\n" == capsys.readouterr().err


def test_packed_sessions_behind_a_url_are_not_removed_before_they_are_read(memory, tmp_path, capsys):
    recording = honest("one", 2, 1).write(tmp_path)
    assert 0 == run(["pack", str(recording), "memory://bucket/packed"])
    assert 2 == run(["pack", "memory://bucket/packed/", "memory://bucket/packed", "--force"])
    assert "would be replaced before it is read" in capsys.readouterr().err
    assert memory.exists("/bucket/packed/sessions-00000.parquet")
