"""Reports from the tables of a scan: the same as the scan's own, and questions in SQL."""

import json
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median

import pytest

from headway.cli import run
from headway.core.run_report import ENDING
from headway.reports.summary import Summary
from headway.sources import Source
from headway.study.batch import Batch
from headway.study.engines import InThisProcess
from headway.study.results import Results
from headway.study.scan import ScanOptions
from headway.study.shards import shards_of
from tests.command import ROOT, headway
from tests.reports.scans import a_month_of_runs


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return a_month_of_runs(tmp_path_factory.mktemp("month") / "runs", 14)


@pytest.fixture(scope="module")
def results(runs, tmp_path_factory):
    out = tmp_path_factory.mktemp("results")
    done = headway("scan", runs, "-o", f"{out}/", "--steps", "-j", "1", text=True)
    assert 0 == done.returncode, done.stderr
    return Path(done.stdout.strip())


@pytest.mark.parametrize("form", ["text", "json", "markdown", "html"])
def test_the_report_is_that_of_a_scan(runs, results, form):
    scan = headway("scan", runs, "--format", form, "--fail-on", "never")
    for place in (results, results.parent):
        report = headway("report", place, "--format", form)
        assert (0, scan.stdout) == (report.returncode, report.stdout), report.stderr
    assert scan.stdout


def test_the_report_of_many_shards_is_that_of_a_scan(runs, tmp_path):
    """The ids of shards are digests, so their order is another one than that of the recordings."""
    shards = [one for path in sorted(runs.rglob("*.jsonl")) for one in shards_of([Source(path)])]
    assert [one.id for one in shards] != sorted(one.id for one in shards)
    list(Batch([str(runs)], shards, ScanOptions(), str(tmp_path), "1").run(InThisProcess()))
    scan, report = headway("scan", runs, "--fail-on", "never"), headway("report", tmp_path)
    assert (0, scan.stdout) == (report.returncode, report.stdout), report.stderr


def test_one_recording_is_read_at_a_time(results):
    files = Results(str(results)).files()
    summary = Summary()
    for _ in range(14):
        file = next(files)
        assert 1 == len(file.runs)
        summary.add(file)
    assert next(files, None) is None and 14 == summary.runs


def test_shards_that_are_missing_are_told(runs, tmp_path):
    done = headway("scan", runs, "-o", f"{tmp_path}/", "-j", "1", text=True)
    next(Path(done.stdout.strip(), "runs").iterdir()).unlink()
    report = headway("report", tmp_path, text=True)
    assert "not scanned yet: 1 of 1 shard" in report.stderr


def test_a_shard_that_was_set_aside_is_named(results, runs, tmp_path):
    done = headway("scan", runs, "-o", f"{tmp_path}/", "-j", "1", text=True)
    place = Path(done.stdout.strip())
    (place / "set-aside").mkdir()
    (place / "set-aside" / "x.json").write_text('{"id": "x", "name": "s3://b/x.parquet", "why": "it died"}')
    report = headway("report", place, text=True)
    assert "Error: s3://b/x.parquet: set aside: it died" in report.stderr and "14 runs" in report.stdout


def test_several_scans_in_one_place_are_not_mixed(runs, tmp_path):
    for setting in ("1", "2"):
        headway("scan", runs, "-o", f"{tmp_path}/", "-j", "1", "--set", f"policy.stop_after_high={setting}")
    report = headway("report", tmp_path, text=True)
    assert 2 == report.returncode and "results of several scans" in report.stderr
    assert 2 == report.stderr.count(f"{tmp_path}/0.")


def test_five_questions_are_answered_in_sql(results):
    program = [sys.executable, str(ROOT / "examples" / "questions.py"), str(results)]
    done = subprocess.run(program, capture_output=True, text=True, check=True)
    answers = [part.strip().split("\n") for part in done.stdout.split("\n\n")]
    assert 5 == len(answers) and all(len(lines) > 2 and lines[0].endswith("?") for lines in answers), done.stdout
    wasted = {line.split("\t")[0]: line.split("\t")[1:] for line in answers[0][2:]}
    assert 14 == sum(int(row[0]) for row in wasted.values())
    assert first_stops(results) == {tuple(line.split("\t")) for line in answers[1][2:]}, done.stdout


def first_stops(results):
    """By reason: the number of runs whose first stop it was, and the median of their steps."""
    steps = defaultdict(list)
    for one in json.loads(headway("report", results, "--format", "json").stdout)["runs"]:
        if one["first_stop"] is not None:
            (reason,) = [made["reason"] for made in one["decisions"]
                         if made["step"] == one["first_stop"] and made["action"] in ENDING]  # fmt: skip
            steps[reason].append(one["first_stop"])
    return {(reason, str(len(found)), str(float(median(found)))) for reason, found in steps.items()}


def test_questions_are_about_one_scan_and_leave_out_what_it_does_not_have(runs, tmp_path):
    program = [sys.executable, str(ROOT / "examples" / "questions.py")]
    assert 0 == run(["scan", str(runs), "-o", f"{tmp_path}/it's/"])
    done = subprocess.run([*program, f"{tmp_path}/it's/"], capture_output=True, text=True, check=True)
    assert 5 == done.stdout.count("?\n") and "scan again with --steps" in done.stdout
    assert 0 == run(["scan", str(runs), "-o", f"{tmp_path}/it's/", "--no-content"])
    for wrong, told in ([f"{tmp_path}/it's/"], "several scans"), ([str(runs)], "no results"), ([], "usage"):
        done = subprocess.run([*program, *wrong], capture_output=True, text=True, check=False)
        assert 1 == done.returncode and told in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("table", ["files", "runs", "findings", "decisions"])
def test_a_damaged_or_missing_part_is_named_with_what_to_do(results, tmp_path, capsys, table):
    place = tmp_path / "results"
    shutil.copytree(results, place)
    (path,) = (place / table).iterdir()
    path.write_bytes(path.read_bytes()[:200])
    assert 2 == run(["report", str(place)])
    told = capsys.readouterr().err
    assert f"Error: {path} is damaged (" in told and f"remove {place}/runs/{path.name} and scan again" in told
    path.unlink()
    run(["report", str(place)])
    missing = f"{path} is missing" if table != "runs" else "not scanned yet: 1 of 1 shard"
    assert missing in capsys.readouterr().err


def test_a_damaged_note_about_a_shard_is_told(results, tmp_path, capsys):
    place = tmp_path / "results"
    shutil.copytree(results, place)
    (place / "set-aside").mkdir()
    (place / "set-aside" / "x.json").write_text("{")
    assert 2 == run(["report", str(place)])
    assert f"Error: {place}/set-aside: " in capsys.readouterr().err
