"""Scans on a real Ray cluster of two nodes: the same bytes as on one machine, whatever is killed."""

import os
import subprocess
import sys
import threading
import time

import pytest

from headway.sources import Source
from headway.study.batch import Batch, SetAside
from headway.study.engines.local import LocalEngine
from headway.study.scan import ScanOptions
from headway.study.shards import shards_of
from tests.command import ROOT
from tests.deadly import Deadly, DeadlyOnce
from tests.reports.scans import a_month_of_runs

ray = pytest.importorskip("ray", reason="Ray is not installed; `make e2e-fleet` installs it")
pytestmark = [pytest.mark.fleet, pytest.mark.filterwarnings("ignore")]

STORE = 100_000_000


@pytest.fixture(scope="module")
def cluster():
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": STORE})
    found.add_node(num_cpus=1, object_store_memory=STORE)
    found.wait_for_nodes()
    yield found
    ray.shutdown()
    found.shutdown()


@pytest.fixture
def engine(cluster):
    from headway.study.engines.ray import RayEngine

    found = RayEngine(cluster.address)
    yield found
    found.close()


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return sorted(a_month_of_runs(tmp_path_factory.mktemp("month") / "runs", 12).glob("*.jsonl"))


class Waiting(Source):
    """A recording that tells which node reads it, and is read when the file `go` is there."""

    def head(self):
        folder = self.path.parent
        (folder / f"reached-{ray.get_runtime_context().get_node_id()}").touch()
        while not (folder / "go").exists():
            time.sleep(0.05)
        return super().head()


def shards_in_twos(sources):
    return [shard for one, two in zip(sources[::2], sources[1::2], strict=True) for shard in shards_of([one, two])]


def content(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def done(engine, sources, out):
    return list(Batch(["runs"], shards_in_twos(sources), ScanOptions(steps=True), str(out), "1").run(engine))


@pytest.fixture(scope="module")
def expected(runs, tmp_path_factory):
    """The results of this machine alone."""
    out = tmp_path_factory.mktemp("expected")
    engine = LocalEngine(1)
    done(engine, [Source(path) for path in runs], out)
    engine.close()
    return content(out)


def test_a_cluster_writes_the_same_bytes(engine, runs, expected, tmp_path):
    assert 2 == engine.workers and 6 * 6 + 1 == len(expected)
    assert 6 == len(done(engine, [Source(path) for path in runs], tmp_path))
    assert expected == content(tmp_path)


def test_a_killed_worker_costs_nothing(engine, runs, expected, tmp_path):
    results = done(engine, [DeadlyOnce(path) if n in (2, 9) else Source(path) for n, path in enumerate(runs)], tmp_path)
    killed = list(runs[0].parent.glob("*.killed"))
    for mark in killed:
        mark.unlink()
    assert 2 == len(killed) and 12 == sum(one.runs for one in results)
    assert expected == content(tmp_path)


def test_a_deadly_recording_is_left_out_and_named(engine, runs, tmp_path):
    results = done(engine, [Deadly(path) if n == 5 else Source(path) for n, path in enumerate(runs)], tmp_path)
    assert not any(isinstance(one, SetAside) for one in results)
    (told,) = [trouble for one in results for trouble in one.troubles]
    assert told.startswith(f"{runs[5]}: the process that read it died") and 11 == sum(one.runs for one in results)


def raises(item, common):
    raise OSError(f"the network is down for {item}{common}")


def test_an_exception_is_tried_again_and_told(engine):
    ((item, failed),) = engine.run(raises, ["a"], "b")
    assert ("a", "OSError: the network is down for ab") == (item, failed.why)


def program(*arguments):
    run = [sys.executable, *map(str, arguments)]
    return subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)


def test_calibrate_and_accuracy_give_the_same_on_a_cluster(cluster, runs, tmp_path):
    table = tmp_path / "outcomes.csv"
    table.write_text("run,solved\n" + "".join(f"{path.stem},{n % 2 == 0}\n" for n, path in enumerate(runs)))
    calibrate = (
        "-c",
        "from headway.cli import main; main()",
        "calibrate",
        runs[0].parent,
        "--outcomes",
        table,
        "--max-false-stops",
        "99%",
        "-o",
        "-",
    )
    accuracy = ("bench/accuracy.py", runs[0].parent, "--outcomes", table)
    on_ray = ("--engine", "ray", "--address", cluster.address)
    for command in (calibrate, accuracy):
        here, there = program(*command), program(*command, *on_ray)
        assert 0 == here.returncode == there.returncode, here.stderr + there.stderr
        told = [[line for line in one.stdout.splitlines() if "Replaying" not in line] for one in (here, there)]
        assert told[0] == told[1] != []


@pytest.mark.parametrize("address", ["127.0.0.1:1", "no-address"])
def test_a_cluster_that_is_not_there_is_told(runs, tmp_path, address):
    nowhere = ("--engine", "ray", "--address", address)
    done = program("-c", "from headway.cli import main; main()", "scan", runs[0].parent, "-o", f"{tmp_path}/", *nowhere)
    assert 2 == done.returncode and f"Error: no Ray cluster at {address}" in done.stderr, done.stderr


def test_a_node_that_goes_away_costs_nothing(cluster, engine, runs, expected, tmp_path):
    """The last test: the cluster has one node afterwards."""
    node = cluster.list_all_nodes()[-1]
    removed = threading.Event()
    folder = runs[0].parent

    def remove():
        reached = folder / f"reached-{node.node_id}"
        while not reached.exists():
            time.sleep(0.05)
        cluster.remove_node(node, allow_graceful=False)
        removed.set()
        (folder / "go").touch()

    thread = threading.Thread(target=remove, daemon=True)
    thread.start()
    results = done(engine, [Waiting(path) for path in runs], tmp_path)
    assert removed.is_set() and 12 == sum(one.runs for one in results)
    assert expected == content(tmp_path)
