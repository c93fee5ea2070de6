"""The GitHub Action: its step run as a job runs it, and its inputs and outputs as the script knows them."""

import re
import subprocess
import xml.etree.ElementTree as ET

import pytest
import yaml

from tests.command import PROGRAM, ROOT
from tests.reports.scans import honest, stuck

SCRIPT = ROOT / "action" / "scan.sh"


@pytest.fixture
def job(tmp_path):
    """Runs the step in a home of its own."""
    (tmp_path / "runs").mkdir()
    honest("good", 4, 1).write(tmp_path / "runs")
    (tmp_path / "bad runs").mkdir()
    stuck("bad", 9, 2).write(tmp_path / "bad runs")

    def run(**inputs):
        given = {"HOME": str(tmp_path), "HEADWAY": PROGRAM, "PATH": "/usr/bin:/bin", "TMPDIR": str(tmp_path)}
        given |= {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"), "GITHUB_OUTPUT": str(tmp_path / "output")}
        done = subprocess.run(
            ["bash", SCRIPT], env=given | inputs, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        output = tmp_path / "output"
        lines = output.read_text().splitlines() if output.exists() else []
        return done, dict(line.split("=", 1) for line in lines)

    return run


def test_a_run_that_went_in_circles_fails_the_job_and_stands_on_its_page(job, tmp_path):
    done, outputs = job(SCAN_PATH="runs\n~/bad runs\n", SCAN_REPORTS="reports")
    assert 1 == done.returncode, done.stderr
    assert {"runs": "2", "worth-a-stop": "1"}.items() <= outputs.items() and float(outputs["cost-usd"]) > 0
    summary = (tmp_path / "summary.md").read_text()
    assert summary.startswith("# Headway scan\n") and "## Worst runs" in summary
    reports = tmp_path / "reports"
    assert {"junit.xml", "scan.html", "scan.json", "scan.sarif", "summary.md"} == {
        path.name for path in reports.iterdir()
    }
    assert "1" == ET.parse(reports / "junit.xml").getroot()[0].get("failures")


@pytest.mark.slow
def test_good_runs_and_never_pass(job):
    assert 0 == job(SCAN_PATH="runs")[0].returncode
    assert 0 == job(SCAN_PATH="bad runs", SCAN_FAIL_ON="never")[0].returncode


def test_without_content_nothing_that_was_said_is_on_the_page(job, tmp_path):
    job(SCAN_PATH="bad runs", SCAN_CONTENT="false")
    assert (
        "rename tax" not in (tmp_path / "summary.md").read_text()
        and "The total of the cart" not in (tmp_path / "summary.md").read_text()
    )


def test_a_path_that_is_not_there_is_told_and_fails(job, tmp_path):
    done, outputs = job(SCAN_PATH="nowhere")
    assert 2 == done.returncode and "nowhere: no such file or folder" in done.stderr
    assert {} == outputs and not (tmp_path / "summary.md").exists()


def test_a_report_of_an_earlier_job_is_not_taken_for_this_one(job, tmp_path):
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "scan.json").write_text('{"totals": {}}')
    done, outputs = job(SCAN_PATH="nowhere", SCAN_REPORTS="reports")
    assert 2 == done.returncode and {} == outputs and "Traceback" not in done.stderr


def test_the_action_hands_every_input_to_the_script_and_every_output_on():
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    steps = action["runs"]["steps"]
    given = {
        re.fullmatch(r"\$\{\{ inputs\.(.+) \}\}", value)[1] for value in steps[-1]["env"].values() if "inputs." in value
    }
    assert set(action["inputs"]) == given and "composite" == action["runs"]["using"]
    script = SCRIPT.read_text()
    assert all(name in script for name in steps[-1]["env"])
    assert all(f'print(f"{name}=' in script for name in action["outputs"])
