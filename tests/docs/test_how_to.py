"""Somebody who writes a detector or a reader from the guides gets one that works."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml

from tests.cli.test_commands import headway
from tests.packages import installed

GUIDES = Path(__file__).parent.parent.parent / "docs" / "how-to"


def blocks(guide, language):
    return re.findall(rf"```{language}\n(.*?)```", (GUIDES / f"{guide}.md").read_text("utf-8"), re.DOTALL)


def package(folder, guide):
    """The first block of Python as a package of another author, with the entry point of the page."""
    ((group, entries),) = tomllib.loads(blocks(guide, "toml")[0])["project"]["entry-points"].items()
    (module,) = {place.partition(":")[0] for place in entries.values()}
    return installed(folder, group, entries, **{module: blocks(guide, "python")[0]})


def test_the_detector_of_the_guide_says_what_the_guide_shows(tmp_path):
    place = package(tmp_path, "write-a-detector")
    code = blocks("write-a-detector", "python")[1]
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(place)},
    )  # fmt: skip
    assert re.findall(r"^# (.+)$", code, re.MULTILINE) == ran.stdout.splitlines(), ran.stderr


def test_the_detector_of_the_guide_is_quiet_when_tests_are_run(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(package(tmp_path, "write-a-detector")))
    from my_detectors import UntestedChanges

    from headway import Monitor

    monitor = Monitor(detectors=[UntestedChanges(limit=2)], only=True)
    for n in range(6):
        monitor.called("Edit", {"file_path": "app.py", "old_string": f"{n}", "new_string": f"{n}!"})
        assert "continue" == monitor.returned(output=f"updated {n}").action
        monitor.called("Bash", {"command": "pytest -q"})
        assert "continue" == monitor.returned(output=f"{n} failed").action


def test_the_commands_know_the_detector_of_the_guide(tmp_path):
    place = str(package(tmp_path, "write-a-detector"))
    explained = headway("explain", "untested_changes", PYTHONPATH=place).stdout.decode()
    assert "Run the tests." not in explained and "limit = 5  Changes of one file that trigger a finding." in explained
    assert b"untested_changes" in headway("detectors", PYTHONPATH=place).stdout


def test_the_reader_of_the_guide_reads_the_log_of_the_guide(tmp_path):
    place = package(tmp_path, "write-a-reader")
    log = tmp_path / "my.jsonl"
    log.write_text(blocks("write-a-reader", "json")[0] + '{"session": "s1", "kind": "other"}\n')
    done = headway("scan", log, PYTHONPATH=str(place))
    (shown,) = [block.splitlines()[1] for block in blocks("write-a-reader", "text")]
    assert shown == done.stdout.decode().splitlines()[0], done.stderr
    assert b"my-agent" in headway("scan", "--help", PYTHONPATH=str(place)).stdout


def test_the_steps_for_github_are_steps():
    steps = [step for block in blocks("ci", "yaml") for step in yaml.safe_load(block)]
    assert len(steps) == 5
    assert all("run" in step or "uses" in step for step in steps)
