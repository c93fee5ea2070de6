import json

from headway import Measurements
from headway.cli import run
from headway.loop.round_files import write_round, write_selection
from headway.loop.tracker import Tracker
from headway.reports.loop_json import loop_from_json
from headway.store.loop_files import LoopFiles


def suite_of(count, passed, coverage):
    return Measurements(
        test_count=count, tests_passed=passed, tests_failed=count - passed, coverage_percentage=coverage
    )


def kept_loop(root):
    tracker, files = Tracker("loop-1"), LoopFiles(root, "loop-1")
    tracker.pre_loop(suite_of(8, 5, 65.0), "before")
    write_round(tracker, files)
    for number, measured in enumerate([suite_of(8, 6, 70.0), suite_of(10, 8, 75.0), suite_of(9, 7, 72.0)], 1):
        tracker.post_iteration(measured, f"round {number}", snapshot=f"refs/headway/loop-1/{number}")
        write_round(tracker, files)
    tracker.post_loop()
    write_selection(tracker, files)
    return tracker, files


def test_the_tree_of_the_seed_is_written(tmp_path):
    tracker, files = kept_loop(tmp_path)
    written = {
        str(path.relative_to(tmp_path / "loop-1")) for path in (tmp_path / "loop-1").rglob("*") if path.is_file()
    }

    assert {
        "progress/iteration-000-baseline.json",
        "progress/iteration-003-metrics.json",
        "progress/trajectory.json",
        "iterations/iteration-002/metrics.json",
        "iterations/iteration-002/manifest.json",
        "reports/iteration-003-report.md",
        "reports/output-selection-report.md",
        "best-tracker.json",
        "loop.json",
    } <= written
    assert tracker.report() == loop_from_json(files.load())
    manifest = json.loads((tmp_path / "loop-1/iterations/iteration-002/manifest.json").read_text())
    assert "refs/headway/loop-1/2" in json.dumps(manifest)


def test_a_kept_loop_is_reported_again(tmp_path, capsys):
    kept_loop(tmp_path)
    assert 0 == run(["report", "loop-1", "--root", str(tmp_path)])
    assert "Test count decreased from 10 to 9" in capsys.readouterr().out
    page = tmp_path / "page.html"
    assert 0 == run(["report", "loop-1", "--root", str(tmp_path), "--format", "html", "--out", str(page)])
    assert "<svg" in page.read_text()
