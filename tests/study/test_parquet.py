"""Runs, steps and findings as Parquet files: the same figures as a scan, and nothing half-written."""

import json

import pyarrow.parquet
import pytest

from headway.sources import Source
from headway.sources.storage import LocalFolder
from headway.study.parquet import OF_CONVERT, SCHEMAS, ParquetFiles
from headway.study.scan import ScanOptions, scanned
from headway.study.tables import Tables
from tests.command import headway
from tests.reports.scans import honest, stuck


def files_in(folder):
    return ParquetFiles(LocalFolder(str(folder)), OF_CONVERT, "{}.parquet".format)


def read(folder, name):
    return pyarrow.parquet.read_table(folder / f"{name}.parquet")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    (folder / "runs").mkdir()
    honest("good", 5, 1).write(folder / "runs")
    stuck("bad", 9, 2).write(folder / "runs")
    (folder / "runs" / "other.json").write_text("{}")
    done = headway("convert", folder / "runs", "--to", "parquet", "-o", folder / "out")
    assert 0 == done.returncode, done.stderr
    return folder


def test_the_tables_have_the_figures_of_a_scan(written):
    document = json.loads(headway("scan", written / "runs", "--format", "json").stdout)
    runs = {row["run"]: row for row in read(written / "out", "runs").to_pylist()}
    assert {"good", "bad"} == set(runs)
    for report in document["runs"]:
        row = runs[report["run"]]
        assert [report[name] for name in ("verdict", "steps", "failed_steps", "project", "prompt", "first_stop")] == [
            row[name] for name in ("verdict", "steps", "failed_steps", "project", "prompt", "first_stop")
        ]
        assert (
            report["spent"]["cost_usd"] == row["cost_usd"] and report["after_stop"]["steps"] == row["after_stop_steps"]
        )
        assert report["ended_at"] == row["ended_at"].timestamp()
    steps = read(written / "out", "steps").to_pylist()
    assert document["totals"]["steps"] == len(steps)
    assert document["totals"]["failed_steps"] == sum(row["failed"] for row in steps)
    findings = read(written / "out", "findings").to_pylist()
    assert sum(len(report["findings"]) for report in document["runs"]) == len(findings)


def test_the_folder_holds_the_four_files_and_nothing_else(written):
    assert {f"{name}.parquet" for name in OF_CONVERT} == {path.name for path in (written / "out").iterdir()}


def test_a_table_without_rows_has_its_columns(tmp_path):
    with files_in(tmp_path) as files:
        files.add(Tables())
    assert list(SCHEMAS["findings"]) == read(tmp_path, "findings").column_names


def test_what_breaks_off_leaves_nothing(tmp_path):
    with pytest.raises(KeyboardInterrupt), files_in(tmp_path / "out"):
        raise KeyboardInterrupt
    assert [] == list(tmp_path.rglob("*"))


def test_secrets_are_masked(tmp_path):
    path = honest("r", 1, 1).bash("curl -u admin:hunter2hunter2 https://x", "ok").write(tmp_path)
    (run,) = scanned(Source(path), ScanOptions(steps=True))
    assert run.steps and "hunter2" not in f"{run.steps}"


def test_bad_use_is_told(tmp_path):
    recording = honest("r", 1, 1).write(tmp_path)
    nowhere = headway("convert", recording, "--to", "parquet", text=True)
    assert 2 == nowhere.returncode and "name a folder for them with -o" in nowhere.stderr
    (tmp_path / "x.json").write_text("{}")
    (tmp_path / "only").mkdir()
    (tmp_path / "x.json").rename(tmp_path / "only" / "x.json")
    nothing = headway("convert", tmp_path / "only", "--to", "parquet", "-o", tmp_path / "out", text=True)
    assert 2 == nothing.returncode and "no recordings found" in nothing.stderr
