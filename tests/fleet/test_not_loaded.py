"""Who only scans recordings or runs a hook neither needs nor loads what fleets, clusters and object storage need."""

import json
import subprocess
import sys

import pytest

from tests.fleet.traffic import RECORDINGS
from tests.hosts.hook.programs import Program

WATCHED = """
import sys

class Told:
    "Tells every attempt to import one of some packages, whether it is installed or not."
    def find_spec(self, name, path=None, target=None):
        if name in {"ray", "quixstreams", "confluent_kafka", "fsspec", "s3fs", "pyarrow", "duckdb", "headway.fleet"}:
            sys.stderr.write(f"asked for {name}\\n")

sys.meta_path.insert(0, Told())
from headway.cli import main
sys.argv[0] = "headway"
main()
"""


@pytest.fixture
def machine(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


def said(*arguments, sent=b""):
    return subprocess.run(
        [sys.executable, "-c", WATCHED, *map(str, arguments)], input=sent, capture_output=True, timeout=120, check=False
    ).stderr.decode()


@pytest.mark.parametrize("arguments", [("scan", RECORDINGS), ("scan", RECORDINGS, "--jobs", "2"), ("status",)])
def test_a_command_on_this_machine_asks_for_none_of_it(machine, arguments):
    assert "asked for" not in said(*arguments)


@pytest.mark.parametrize("kafka", ["", "localhost:1"])
def test_a_hook_asks_for_none_of_it_even_if_events_are_forwarded(machine, kafka, monkeypatch):
    monkeypatch.setenv("HEADWAY_FORWARD__KAFKA", kafka)
    agent = Program("claude-code")
    agent.count = 1
    for moment in ("prompt", "before", "after"):
        event = agent.spelled(moment, prompt="please", message="please", command="ls", output="a.py")
        assert "asked for" not in said("hook", "--agent", "claude-code", sent=json.dumps(event).encode())
    assert (machine / "state").exists()


@pytest.mark.parametrize(
    ("arguments", "package"),
    [
        (("scan", "s3://bucket/x"), "fsspec"),
        (("forward", "--once", "--patience", "0"), "confluent_kafka"),
        (("scan", RECORDINGS, "--engine", "ray", "-o", "out/"), "ray"),
    ],
)
def test_an_attempt_would_be_seen(machine, arguments, package, monkeypatch):
    monkeypatch.chdir(machine)
    monkeypatch.setenv("HEADWAY_FORWARD__KAFKA", "localhost:1")
    assert f"asked for {package}" in said(*arguments)
