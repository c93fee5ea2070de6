"""Recordings and results in S3, over HTTP, on moto's server."""

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from headway.readers import recordings_in
from headway.study.scan import ScanOptions, scan_one
from tests.readers.samples_read import SAMPLES
from tests.reports.scans import a_month_of_runs

s3fs = pytest.importorskip("s3fs", reason="s3fs is not installed; `make e2e-fleet` installs it")
pytest.importorskip("moto", reason="moto is not installed; `make e2e-fleet` installs it")
pytestmark = [pytest.mark.fleet, pytest.mark.filterwarnings("ignore")]

RUN = [sys.executable, "-c", "from headway.cli import main; main()"]


@pytest.fixture(scope="module")
def s3():
    """A server and a bucket, and the environment in which a command finds them."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    keys = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1"}
    given = {**keys, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}"}
    before = dict(os.environ)
    os.environ.update(given)
    try:
        system = s3fs.S3FileSystem(skip_instance_cache=True)
        deadline = time.monotonic() + 60
        while True:
            try:
                system.mkdir("bucket")
                break
            except Exception:
                assert time.monotonic() < deadline, "moto's server did not start"
                time.sleep(0.2)
        yield system
    finally:
        os.environ.clear()
        os.environ.update(before)
        server.terminate()
        server.wait()


def headway(*arguments, code=0):
    done = subprocess.run([*RUN, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert code == done.returncode, done.stderr
    return done


@pytest.fixture(scope="module")
def runs(s3, tmp_path_factory):
    folder = a_month_of_runs(tmp_path_factory.mktemp("month") / "runs", 12)
    s3.put(f"{folder}/", "bucket/runs", recursive=True)
    return folder


def reports(done):
    found = json.loads(done.stdout)["runs"]
    return sorted(({**one, "source": Path(one["source"]).name} for one in found), key=lambda one: one["source"])


def content(place, system=None):
    if system is None:
        return {path.relative_to(place).as_posix(): path.read_bytes() for path in place.rglob("*") if path.is_file()}
    return {name.removeprefix(f"{place}/"): system.cat_file(name) for name in system.find(place)}


def test_a_scan_of_s3_is_a_scan_of_the_files(runs):
    local = headway("scan", runs, "--format", "json", "--fail-on", "never")
    remote = headway("scan", "s3://bucket/runs/", "--format", "json", "--fail-on", "never")
    assert reports(local) == reports(remote) and 12 == len(reports(remote))
    assert json.loads(remote.stdout)["runs"][0]["source"].startswith("s3://bucket/runs/")
    one = sorted(runs.glob("*.jsonl"))[0].name
    assert 1 == len(reports(headway("scan", f"s3://bucket/runs/{one}", "--format", "json", "--fail-on", "never")))


def test_every_format_is_read_from_s3_as_from_a_folder(s3, tmp_path):
    """Also folders that are one recording, databases, archives, and readers that look at the names of folders."""
    from headway.readers import is_recording
    from headway.sources.remote import remote_sources

    s3.put(f"{SAMPLES}/", "bucket/samples", recursive=True)
    local = {
        source.name.removeprefix(f"{SAMPLES}/"): scan_one(source, ScanOptions()) for source in recordings_in(SAMPLES)
    }
    remote = {
        source.name.removeprefix("s3://bucket/samples/"): scan_one(source, ScanOptions())
        for source in remote_sources("s3://bucket/samples", is_recording)
    }
    assert set(local) == set(remote) and len(local) > 50

    def found(file):
        plain = [msgspec.structs.replace(one.report, source="", run=one.report.run.split("/")[-1]) for one in file.runs]
        return plain, file.skipped_records, bool(file.passed_over), bool(file.unread), bool(file.trouble)

    assert {name: found(file) for name, file in local.items()} == {name: found(file) for name, file in remote.items()}


def test_no_copy_stays_behind(runs, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    headway("scan", "s3://bucket/runs/", "--format", "json", "--fail-on", "never", "--jobs", "1")
    headway("scan", "s3://bucket/runs/", "-o", "s3://bucket/traces/", "--jobs", "2")
    assert [] == list(tmp_path.iterdir())


def test_results_in_s3_have_the_bytes_of_results_in_a_folder(s3, runs, tmp_path):
    headway("pack", "s3://bucket/runs", "s3://bucket/packed")
    folder = headway("scan", "s3://bucket/packed", "-o", f"{tmp_path}/out/", "--steps").stdout.strip()
    place = headway("scan", "s3://bucket/packed", "--out", "s3://bucket/out/", "--steps").stdout.strip()
    assert place.startswith("s3://bucket/out/") and place.split("/")[-1] == folder.split("/")[-1]
    s3.invalidate_cache()
    assert content(Path(folder)) == content(place.removeprefix("s3://"), s3) != {}
    again = headway("scan", "s3://bucket/packed", "--out", "s3://bucket/out/", "--steps")
    assert "1 of 1 shard done by an earlier scan" in again.stderr


def test_ray_reads_from_s3_and_writes_to_s3(s3, runs, tmp_path):
    pytest.importorskip("ray", reason="Ray is not installed; `make e2e-fleet` installs it")
    local = headway("scan", "s3://bucket/runs/", "-o", f"{tmp_path}/out/").stdout.strip()
    place = headway(
        "scan", "s3://bucket/runs/", "--engine", "ray", "-j", "2", "--out", "s3://bucket/ray/"
    ).stdout.strip()
    s3.invalidate_cache()
    assert content(Path(local)) == content(place.removeprefix("s3://"), s3) != {}


def test_flat_tables_in_s3_are_sorted(s3, runs, tmp_path):
    import pyarrow
    import pyarrow.parquet

    from headway.readers import read
    from headway.shapes.packed_events import COLUMNS, row_of

    rows = [{"run": event.run, **row_of(event)} for source in recordings_in(runs) for event in read(source)][::-1]
    table = pyarrow.table({name: [row.get(name) for row in rows] for name in ("run", *COLUMNS)})
    pyarrow.parquet.write_table(table, tmp_path / "flat.parquet")
    s3.put(str(tmp_path / "flat.parquet"), "bucket/flat/flat.parquet")
    assert "12 sessions" in headway("pack", "s3://bucket/flat", tmp_path / "packed").stderr


def test_what_is_not_there_is_told(s3):
    assert "s3://bucket/nothing" in headway("scan", "s3://bucket/nothing/", code=2).stderr
    assert "s3://nowhere" in headway("scan", "s3://nowhere/x", code=2).stderr
    assert "gs://" in headway("scan", "gs://bucket/x", code=2).stderr


def test_ray_on_s3_is_estimated_first_names_a_bad_file_and_continues(s3, runs, tmp_path):
    pytest.importorskip("ray", reason="Ray is not installed; `make e2e-fleet` installs it")
    for number, recording in enumerate(sorted(runs.glob("*.jsonl"))[:4]):
        headway("pack", recording, tmp_path / str(number))
        (packed,) = (tmp_path / str(number)).glob("*.parquet")
        s3.put(str(packed), f"bucket/many/{number}.parquet")
    whole = s3.cat_file("bucket/many/1.parquet")
    s3.pipe_file("bucket/many/1.parquet", whole[: len(whole) // 2])
    scan = ("scan", "s3://bucket/many", "--engine", "ray", "-j", "2", "--out", "s3://bucket/cluster/")
    assert headway(*scan, "--dry-run").stdout.startswith("1 shard, ")
    s3.invalidate_cache()
    assert not s3.exists("bucket/cluster")
    first = headway(*scan, code=1).stderr
    assert "many/1.parquet" in first and "3 runs" in first
    s3.pipe_file("bucket/many/1.parquet", whole)
    second = headway(*scan).stderr
    assert "many/1.parquet" not in second and "4 runs" in second
    assert "1 of 1 shard done by an earlier scan" in headway(*scan).stderr
