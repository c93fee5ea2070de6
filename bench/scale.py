"""How a scan in shards grows: with workers, on Ray, with the number of sessions, and when processes are killed.

    python bench/scale.py [RUNS.jsonl.gz] [--sessions 20000] [--short 100000] [--dollars 0.04] [--only workers …]

Packs sessions made from a pack of recorded runs (from the recordings in examples/ without one), each with a name of its
own, and prints ratios within this run: machines are noisy. Needs Ray: `make bench-scale` installs it.
"""

import argparse
import hashlib
import os
import signal
import statistics
import tempfile
import threading
import time
from contextlib import closing
from itertools import cycle, islice
from pathlib import Path

from recorded import runs as recorded_runs
from waiting import Spent

from headway.core.events import Event
from headway.readers import recordings_in
from headway.shapes.packed_events import row_of
from headway.sources.storage import LocalFolder
from headway.study.engines import Engine
from headway.study.engines.local import LocalEngine
from headway.study.packing import SHARD, Session, Shards
from headway.study.pool import cores
from headway.study.scan import ScanOptions
from headway.study.shards import Job, Shard, ShardDone, scan_shard, shards_of

BLOCK, BLOCKS = 16, 10
"""Shards that an engine gets before it is the next one's turn, and about how many turns there are."""
SHORT = 8
"""Events of a short session, to see many of them."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("runs", nargs="?", help="a pack of runs")
    parser.add_argument("--sessions", type=int, default=20_000)
    parser.add_argument("--short", type=int, default=100_000, help="most sessions when memory is measured")
    parser.add_argument("--dollars", type=float, default=0.04, help="price of a core for an hour")
    parser.add_argument("--only", nargs="+", default=["workers", "memory", "kills"], metavar="PART")
    given = parser.parse_args()
    runs = ((name, [event for step in steps for event in step]) for name, steps in recorded_runs(given.runs))
    sample = [(name, events) for name, events in runs if events]
    with tempfile.TemporaryDirectory(prefix="headway-bench-") as folder:
        if "workers" in given.only:
            cost_model(workers_compared(Path(folder, "workers"), sample, given.sessions), given.dollars)
        if "memory" in given.only:
            memory_by_sessions(Path(folder, "memory"), sample, given.short)
        if "kills" in given.only:
            kills(Path(folder, "kills"), sample)


def packed(folder: Path, sample: list[tuple[str, list[Event]]], sessions: int, shard: int, most: int = 0) -> Shards:
    """Sessions made from the sample, as often as needed, each with a name of its own."""
    shards = Shards(LocalFolder(str(folder)), shard)
    for number, (name, events) in zip(range(sessions), cycle(sample), strict=False):
        session = Session(f"{name}#{number}", "", "bench", "bench")
        for event in islice(events, most or None):
            session.add(row_of(event))
        shards.add(session)
    shards.close()
    return shards


def planned(folder: Path) -> list[Shard]:
    """One shard for each file."""
    return [shard for source in recordings_in(folder) for shard in shards_of([source])]


def ray_engine(workers: int) -> Engine:
    from headway.study.engines.ray import RayEngine

    return RayEngine(None, workers)


def workers_compared(folder: Path, sample: list[tuple[str, list[Event]]], sessions: int) -> float:
    """One process, two, and two on Ray, in turn for a few shards each, so that all see the same load of the machine.

    Each engine has started and imported everything before it counts.
    """
    shard = min(SHARD, sessions * 50_000 // (BLOCK * BLOCKS) + 1)
    made = packed(folder / "packed", sample, sessions, shard)
    stored = sum(path.stat().st_size for path in (folder / "packed").iterdir())
    size = f"{made.size / 1e6:,.0f} MB of events, {stored / 1e6:,.0f} MB on disk"
    print(f"{made.sessions:,} sessions, {made.events:,} events, {size}, {len(made.names)} shards", flush=True)
    packed(folder / "warm", sample, 8, 1)
    shards, warm = planned(folder / "packed"), planned(folder / "warm")
    load = os.getloadavg()[0]
    wall, used, busy, queued = ({name: list[float]() for name in ("one", "two", "ray")} for _ in range(4))
    with closing(LocalEngine(1)) as one, closing(LocalEngine(2)) as two, closing(ray_engine(2)) as ray:
        engines = {"one": one, "two": two, "ray": ray}
        for name, engine in engines.items():
            list(engine.run(scan_and_time, warm, Job(ScanOptions(), str(folder / "warm-out" / name))))
        for number, first in enumerate(range(0, len(shards), BLOCK)):
            turn = number % len(engines)
            for name in [*engines, *engines][turn : turn + len(engines)]:
                begun = time.perf_counter()
                block, job = shards[first : first + BLOCK], Job(ScanOptions(), str(folder / name))
                results = [one for _, one in engines[name].run(scan_and_time, block, job)]
                wall[name].append(time.perf_counter() - begun)
                used[name].append(sum(one.used for one in results))
                busy[name].append(sum(one.clock for one in results) / wall[name][-1])
                queued[name].append(sum(one.queued for one in results))
    rate = made.size / sum(used["one"]) / 1e6
    print(
        f"one process: {rate:.1f} MB or {rate / made.size * 1e6 * made.events:,.0f} events per second of processor time"
    )
    for name, base, told in (
        ("two", "one", "two processes / one (goal: 1.7)"),
        ("ray", "two", "Ray on two / two processes (goal: 0.8)"),
    ):
        dearer = sum(used[name]) / sum(used[base])
        working = [statistics.median(busy[one]) for one in (name, base)]
        print(f"{told}: {ratio(base, name, wall):.2f} times as fast by the clock")
        told = f"{dearer:.2f} of the processor time, {working[0]:.2f} workers busy against {working[1]:.2f}"
        print(f"  {told}: {working[0] / working[1] / dearer:.2f} times as fast if cores are free")
    for name, all in wall.items():
        waited = sum(queued[name]) / (sum(queued[name]) + sum(used[name]))
        told = f"{sum(all):.0f} s by the clock, {sum(used[name]):.0f} s of processor time"
        print(f"  {name}: {told}; {waited:.0%} of the workers' time went by waiting for a processor")
    turns, after = len(wall["one"]), os.getloadavg()[0]
    print(f"  {turns} turns each; load of the machine {load:.1f} before, {after:.1f} after, on {cores()} cores")
    digests = {digest(folder / name) for name in wall}
    print(f"results of the three: {'the same bytes' if len(digests) == 1 else 'DIFFERENT BYTES'}", flush=True)
    return rate


def ratio(slow: str, fast: str, seconds: dict[str, list[float]]) -> float:
    """How many times as fast: the median of measurements that were made one after the other."""
    return statistics.median(a / b for a, b in zip(seconds[slow], seconds[fast], strict=True))


def digest(folder: Path) -> str:
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".parquet":
            found.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return found.hexdigest()


def scan_and_time(shard: Shard, job: Job) -> Spent:
    """Scan a shard, and tell the time it took. The processor time is that of all threads."""
    begun, used = Spent.so_far(), time.process_time()
    scan_shard(shard, job)
    return Spent.so_far().since(begun)._replace(used=time.process_time() - used)


def scan_and_weigh(shard: Shard, job: Job) -> float:
    """Scan a shard, and tell the largest size of this process so far, in MB."""
    scan_shard(shard, job)
    status = Path("/proc/self/status").read_text()  # what getrusage says may be the parent's
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def memory_by_sessions(folder: Path, sample: list[tuple[str, list[Event]]], most: int) -> None:
    """The largest worker, for ten and a hundred times as many short sessions."""
    for sessions in (most // 100, most // 10, most):
        place = folder / str(sessions)
        packed(place / "packed", sample, sessions, 16_000_000, SHORT)
        with closing(LocalEngine(2)) as engine:
            job = Job(ScanOptions(), str(place / "out"))
            found = [size for _, size in engine.run(scan_and_weigh, planned(place / "packed"), job)]
        print(f"{sessions:7,} short sessions in {len(found):3} shards: largest worker {max(found):.0f} MB", flush=True)


def scan_and_tell(shard: Shard, job: Job) -> ShardDone:
    """Scan a shard after telling which process does it."""
    Path(job.out).mkdir(parents=True, exist_ok=True)
    (Path(job.out).parent / f"pid-{os.getpid()}").touch()
    return scan_shard(shard, job)


def kills(folder: Path, sample: list[tuple[str, list[Event]]]) -> None:
    """Kill workers while they work, and a node of a cluster: the results are the same."""
    packed(folder / "packed", sample, 1_000, 1_000_000)
    shards = planned(folder / "packed")
    with closing(LocalEngine(2)) as engine:
        list(engine.run(scan_shard, shards, Job(ScanOptions(), str(folder / "calm" / "out"))))
    calm = digest(folder / "calm" / "out")
    with closing(LocalEngine(2)) as engine:
        killed = _kill_some(folder / "pool", engine, shards)
    same = digest(folder / "pool" / "out") == calm
    print(
        f"{len(shards)} shards, {killed} processes of the pool killed: {'same' if same else 'OTHER'} bytes", flush=True
    )
    _kill_on_cluster(folder / "cluster", shards, calm)


def _kill_some(folder: Path, engine: Engine, shards: list[Shard]) -> int:
    """Kill the first process seen, and later another one."""
    folder.mkdir()
    over, killed = threading.Event(), []

    def kill() -> None:
        while not over.is_set() and len(killed) < 2:
            for mark in folder.glob("pid-*"):
                pid = int(mark.name[4:])
                if pid not in killed and len(killed) < 2:
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)
            over.wait(0.3)

    thread = threading.Thread(target=kill)
    thread.start()
    results = list(engine.run(scan_and_tell, shards, Job(ScanOptions(), str(folder / "out"))))
    over.set()
    thread.join()
    assert all(isinstance(one, ShardDone) for _, one in results), results
    return len(killed)


def _kill_on_cluster(folder: Path, shards: list[Shard], calm: str) -> None:
    import ray
    from ray.cluster_utils import Cluster

    from headway.study.engines.ray import RayEngine

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": 100_000_000})
    node = cluster.add_node(num_cpus=1, object_store_memory=100_000_000)
    cluster.wait_for_nodes()
    try:
        with closing(RayEngine(cluster.address)) as engine:
            remove = threading.Timer(3, cluster.remove_node, (node,), {"allow_graceful": False})
            remove.start()
            killed = _kill_some(folder, engine, shards)
            remove.join()
            left = sum(one["Alive"] for one in ray.nodes())
    finally:
        cluster.shutdown()
    same = digest(folder / "out") == calm
    print(f"on Ray, {killed} workers killed, {left} of 2 nodes left: {'same' if same else 'OTHER'} bytes", flush=True)


def cost_model(rate: float, dollars: float) -> None:
    """What 100 GB of events take, at the rate of one core here."""
    hours = 100_000 / rate / 3_600
    price = f"${hours * dollars:.2f} at ${dollars} for each"
    print(f"100 GB of events at {rate:.1f} MB/s: {hours:.1f} core hours, {price}")
    for many in (16, 64, 256):
        print(f"  {many:3} cores: {hours / many * 60 / 0.85:.0f} minutes, at 0.85 of a core's speed each")


if __name__ == "__main__":
    main()
