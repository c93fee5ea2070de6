"""Somebody who writes a detector or a reader from the guides gets one that works."""

import json
import logging
import re
import tomllib
from pathlib import Path

import pytest
import yaml

from headway.detectors import plugin_detectors
from tests.command import headway
from tests.packages import installed
from tests.scaffold.places import complaints, project, run

GUIDES = Path(__file__).parent.parent.parent / "docs" / "how-to"
CHECKS = [("ruff", "check"), ("ruff", "format", "--check")]


def blocks(guide, language):
    return re.findall(rf"```{language}\n(.*?)```", (GUIDES / f"{guide}.md").read_text("utf-8"), re.DOTALL)


def followed(folder, guide, kind, name):
    """A project in which the guide was followed: the command, then its first block of Python, installed."""
    package = f"my_{kind}s"
    assert f"headway new {kind} {name}\n" in blocks(guide, "sh")
    assert "" == complaints(headway("new", kind, name, folder=project(folder, name=package), text=True))
    (folder / "src" / package / f"{name}.py").write_text(blocks(guide, "python")[0])
    points = tomllib.loads((folder / "pyproject.toml").read_text())["project"]["entry-points"]
    assert tomllib.loads(blocks(guide, "toml")[0])["project"]["entry-points"] == points
    ((group, entries),) = points.items()
    installed(folder / "src", group, entries)
    return folder


@pytest.fixture(scope="module")
def detector(tmp_path_factory):
    return followed(tmp_path_factory.mktemp("detector"), "write-a-detector", "detector", "untested_changes")


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    return followed(tmp_path_factory.mktemp("reader"), "write-a-reader", "reader", "my_agent")


@pytest.mark.parametrize("check", CHECKS, ids=" ".join)
@pytest.mark.parametrize("guide", ["detector", "reader"])
def test_the_code_of_the_guides_passes_the_linter(guide, check, request):
    assert "" == complaints(run(request.getfixturevalue(guide), *check))


def test_the_code_of_both_guides_has_the_right_types(detector, reader):
    assert "" == complaints(run(detector, "mypy", "--strict", "src", reader / "src"))


def test_the_detector_of_the_guide_says_what_the_guide_shows(detector):
    """It is told of Claude Code's `Edit`, which it does not know by name."""
    code = blocks("write-a-detector", "python")[1]
    ran = run(detector, "python", "-c", code)
    assert '"Edit"' in code
    assert re.findall(r"^# (.+)$", code, re.MULTILINE) == ran.stdout.splitlines(), ran.stderr


def test_the_detector_of_the_guide_passes_the_test_of_the_guide(detector):
    """The test that `headway new` wrote is about another detector, as the guide says."""
    path = detector / "tests" / "test_untested_changes.py"
    assert "2 failed, 1 passed" in run(detector, "pytest", "-q", path).stdout
    path.write_text(blocks("write-a-detector", "python")[2])
    assert "" == complaints(run(detector, "pytest", "-q", path))
    for check in CHECKS:
        assert "" == complaints(run(detector, *check, path))


def test_the_detector_of_the_guide_is_quiet_when_tests_are_run(detector):
    program = """
from headway import Monitor
from my_detectors.untested_changes import UntestedChanges

monitor = Monitor(detectors=[UntestedChanges(limit=2)], only=True)
for n in range(6):
    monitor.called("Edit", {"file_path": "app.py", "old_string": f"{n}", "new_string": f"{n}!"})
    print(monitor.returned(output=f"updated {n}").action)
    monitor.called("Bash", {"command": "pytest -q"})
    print(monitor.returned(output=f"{n} failed").action)
"""
    assert ["continue"] * 12 == run(detector, "python", "-c", program).stdout.splitlines()


def test_the_commands_know_the_detector_of_the_guide(detector):
    place = str(detector / "src")
    explained = headway("explain", "untested_changes", PYTHONPATH=place, text=True).stdout
    assert "Run the tests." not in explained and "limit = 5  Changes of one file that trigger a finding." in explained
    listed = json.loads(headway("detectors", "--format", "json", PYTHONPATH=place).stdout)
    assert ["your own"] == [one["scale"] for one in listed if one["id"] == "untested_changes"]


def test_a_monitor_looks_for_plug_ins_only_where_settings_name_them(detector):
    program = """
from headway import Monitor
settings = {"detectors": {"untested_changes": {"limit": 4}}}
print([d.limit for d in Monitor(settings=settings).detectors if d.id == "untested_changes"])
print([d for d in Monitor().detectors if d.id == "untested_changes"])
"""
    assert "[4]\n[]\n" == run(detector, "python", "-c", program).stdout


def test_a_plug_in_that_cannot_be_loaded_is_reported_and_left_out(tmp_path, monkeypatch, caplog):
    monkeypatch.syspath_prepend(
        installed(tmp_path, "headway.detectors", {"broken": "no_such_module:Thing", "odd": "json:dumps"})
    )
    with caplog.at_level(logging.ERROR, "headway"):
        assert {} == plugin_detectors.__wrapped__()
    assert "no_such_module" in caplog.text and "not a Detector class" in caplog.text


def log(folder, *more):
    path = folder / "my.jsonl"
    path.write_text(blocks("write-a-reader", "json")[0] + "".join(json.dumps(record) + "\n" for record in more))
    return path


def test_the_reader_of_the_guide_reads_the_log_of_the_guide(reader, tmp_path):
    place, path = str(reader / "src"), log(tmp_path, {"session": "s1", "kind": "other"}, {"half": 1})
    done = headway("scan", path, PYTHONPATH=place, text=True)
    (shown,) = [block.splitlines()[1] for block in blocks("write-a-reader", "text")]
    assert shown == done.stdout.splitlines()[0], done.stderr
    assert "my-agent" in headway("scan", "--help", PYTHONPATH=place, text=True).stdout
    (run_,) = json.loads(headway("scan", path, "--format", "json", PYTHONPATH=place).stdout)["runs"]
    assert ("s1", "my-agent", 3, 2) == tuple(run_[key] for key in ("run", "reader", "steps", "skipped_records"))
    assert 0 == headway("show", path, PYTHONPATH=place).returncode
    assert 3 == headway("convert", path, "--to", "events", PYTHONPATH=place).stdout.count(b"tool_returned")


def test_the_reader_of_the_guide_passes_the_test_of_the_guide(reader):
    """The test that `headway new` wrote is about another reader, as the guide says."""
    path = reader / "tests" / "test_my_agent.py"
    assert "3 failed" in run(reader, "pytest", "-q", path).stdout
    path.write_text(blocks("write-a-reader", "python")[1])
    (reader / "tests" / "my_agent.jsonl").write_text(blocks("write-a-reader", "json")[0])
    assert "" == complaints(run(reader, "pytest", "-q", path))
    for check in (*CHECKS, ("mypy", "--strict")):
        assert "" == complaints(run(reader, *check, path))


@pytest.mark.parametrize("command", [["scan"], ["show"], ["convert", "--to", "events"]])
def test_a_reader_of_another_package_that_fails_is_named_with_the_line(tmp_path, command):
    folder = followed(tmp_path, "write-a-reader", "reader", "my_agent")
    module = folder / "src" / "my_readers" / "my_agent.py"
    module.write_text(module.read_text().replace('source.skip("neither a message nor a call")', 'raise KeyError("id")'))
    done = headway(*command, log(tmp_path, {"session": "s1", "kind": "x"}), PYTHONPATH=str(folder / "src"), text=True)
    assert 2 == done.returncode
    told = "my.jsonl: the reader my-agent (my_readers.my_agent) failed at line 5: KeyError: 'id'\n"
    assert done.stderr.endswith(told) and "Traceback" not in done.stderr


def test_the_steps_for_github_are_steps():
    steps = [step for block in blocks("ci", "yaml") for step in yaml.safe_load(block)]
    assert len(steps) == 7
    assert all("run" in step or "uses" in step for step in steps)
