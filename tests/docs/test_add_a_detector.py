"""A stranger who writes a detector from docs/development/add-a-detector.md gets one that works."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from headway import Monitor
from headway.core import events
from tests.packages import installed

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "development" / "add-a-detector.md").read_text()
CODE = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0]


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    mine = {"my_file_churn": "my_module:MyFileChurn"}
    return installed(tmp_path_factory.mktemp("site"), "headway.detectors", mine, my_module=CODE)


def python(package, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(package), "COLUMNS": "120"}
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=environment, check=False)
    assert 0 == done.returncode, done.stderr
    return done.stdout


def test_it_speaks_at_the_fifth_change(package, monkeypatch):
    monkeypatch.syspath_prepend(str(package))
    from my_module import MyFileChurn

    monitor = Monitor(detectors=[MyFileChurn()])
    heard = []
    for n in range(1, 7):
        monitor.feed(events.ToolCalled(call=str(n), tool="edit_file", args={"path": "app.py", "n": n}))
        found = monitor.feed(events.ToolReturned(call=str(n), output=f"edited {n}")).findings
        heard += [n for finding in found if finding.detector == "my_file_churn"]

    assert [5, 6] == heard
    pattern = monitor.session.patterns()["my_file_churn"]
    assert ("app.py", 6, 0.6) == (pattern.churned_file, pattern.modification_count, pattern.confidence)


def test_the_entry_point_is_found_where_settings_ask_for_it(package):
    program = (
        "from headway import Monitor\n"
        "monitor = Monitor(settings={'detectors': {'my_file_churn': {'churn_threshold': 4}}})\n"
        "print([d.churn_threshold for d in monitor.detectors if d.id == 'my_file_churn'])\n"
        "print([d for d in Monitor().detectors if d.id == 'my_file_churn'])\n"
    )
    assert "[4]\n[]\n" == python(package, "-c", program)


def test_the_commands_know_it(package):
    headway = ("-c", "from headway.cli import main; main()")
    listed = json.loads(python(package, *headway, "detectors", "--format", "json"))
    mine = next(one for one in listed if one["id"] == "my_file_churn")
    assert "your own" == mine["scale"]
    assert "Changes of one file before it speaks." in {setting["doc"] for setting in mine["settings"]}
    explained = python(package, *headway, "explain", "my_file_churn")
    assert "Blind to: tools it does not know by name." in explained


def test_a_plugin_that_cannot_be_loaded_is_reported_and_left_out(tmp_path):
    installed(tmp_path, "headway.detectors", {"broken": "no_such_module:Thing", "odd": "json:dumps"})
    program = "from headway.config.plugins import plugin_detectors; print(plugin_detectors())"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(tmp_path)}, check=True,
    )  # fmt: skip
    assert "{}\n" == done.stdout
    assert "no_such_module" in done.stderr and "not a Detector class" in done.stderr
