"""Detectors of other packages, as the commands show them and bear with them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packages import installed

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
FAILING = """
from headway import Detector

class Failing(Detector):
    \"\"\"One that fails.\"\"\"
    patience: int = 7

    def on_step(self, step, session):
        raise KeyError(f"\\x1b[31m{step.number} of {session.run} with sk-ant-api03-{'a' * 40}")
"""
COMMAND = (
    "from headway.study import pool, scan; scan.WORTH_IT = 0; pool.CHUNK = 1; from headway.cli import main; main()"
)
"""Headway as it runs, only that several processes are worth it for small recordings too."""


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    failing = {"failing": "their_module:Failing"}
    return installed(tmp_path_factory.mktemp("site"), "headway.detectors", failing, their_module=FAILING)


def headway(package, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(package), "XDG_CONFIG_HOME": str(package), "COLUMNS": "300"}
    command = [sys.executable, "-c", COMMAND, *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, env=environment, cwd=package, timeout=60, check=False
    )


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_one_that_fails_at_every_step_is_told_of_once_in_one_line(package, jobs):
    done = headway(package, "scan", EXAMPLES, "--jobs", jobs, "--fail-on", "never")

    assert 0 == done.returncode and done.stdout
    (line,) = [line for line in done.stderr.splitlines() if "Failing" in line]
    assert line.startswith("Warning: Failing.on_step failed and was skipped: KeyError: ")
    assert "their_module.py:9" in line and "\x1b" not in line and "sk-ant-api03-aaaa" not in line
    assert "Traceback" not in done.stderr and 1 == done.stderr.count("their_module.py")


def test_its_settings_are_shown_whether_or_not_somebody_has_named_it(package):
    done = headway(package, "config", "detectors.failing", "--format", "json")
    assert {"value": 7, "origin": "default"} == json.loads(done.stdout)["detectors.failing.patience"]

    done = headway(package, "config", "detectors.failing", "--format", "json", "--set", "detectors.failing.patience=3")
    assert {"value": 3, "origin": "command line"} == json.loads(done.stdout)["detectors.failing.patience"]
