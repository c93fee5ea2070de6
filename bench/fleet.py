"""What a fleet takes: events per second, time from an event to its decision, and a broker that is down for a minute.

    python bench/fleet.py [RUNS.jsonl.gz] [--events 100000] [--outage 60] [--only throughput latency outage]

Runs Apache Kafka (one broker, KRaft) as `make e2e-fleet` does, and `headway fleet` and `headway forward` as processes.
Broker, instance and producer share this machine's processors; the bare Monitor in the same run says how fast it is.
How long the instance, or a hook, waited for a processor is told beside each figure.
"""

import argparse
import gc
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from threading import Thread

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

import msgspec
from confluent_kafka import Consumer, Producer, TopicPartition
from recorded import runs
from tests.fleet.broker import Broker, why_not
from tests.fleet.instance import Instance, received, wait_until
from tests.hosts.hook.programs import Program
from waiting import Spent, main_thread

from headway import Monitor, decode_event, encode_event
from headway.core.events import Event
from headway.fleet.topics import DECISIONS, EVENTS
from headway.store.outgoing import outgoing_counts

HEADWAY = Path(sys.executable).with_name("headway")
PARTITIONS = 4
STRIDE = 787  # a prime: all runs are taken, unless their number is a multiple of it


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pack", nargs="?", help="runs.jsonl.gz; without it, examples/")
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--outage", type=float, default=60.0, help="seconds")
    parser.add_argument("--only", nargs="+", default=["throughput", "latency", "outage"])
    options = parser.parse_args()
    if reason := why_not():
        sys.exit(f"Apache Kafka cannot run here, and nothing was measured: {reason}")
    recorded = [[event for step in steps for event in step] for _, steps in runs(options.pack)]
    gc.collect()
    gc.freeze()  # a garbage collection would go through all recorded runs, in the middle of a measured step
    print(f"{Broker.what}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} before", flush=True)
    rate = 5_000.0
    if "throughput" in options.only:
        rate = with_broker(lambda broker, folder: throughput(broker, folder, recorded, options.events))
    if "latency" in options.only:
        with_broker(lambda broker, folder: latency(broker, folder, recorded, rate / 2))
    if "outage" in options.only:
        with_broker(lambda broker, folder: outage(broker, folder, options.outage))
    print(f"load {os.getloadavg()[0]:.1f} after")


def with_broker(measure):
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "kafka"
        place.mkdir()
        broker = Broker(place)
        broker.start()
        try:
            broker.make_topics(PARTITIONS)
            return measure(broker, Path(folder))
        finally:
            broker.stop()


def traffic(recorded: list[list[Event]], at_once: int = 200) -> Iterator[tuple[str, Event]]:
    """Events of many sessions in turn, without end. A session that is over is followed by a new one.

    Runs of one kind stand together in a pack. They are taken in steps, so that each second has some of every kind.
    """
    started, live = 0, []
    while True:
        while len(live) < at_once:
            live.append((f"run-{started}", iter(enumerate(recorded[started * STRIDE % len(recorded)], 1))))
            started += 1
        for session in list(live):
            run, rest = session
            found = next(rest, None)
            if found is None:
                live.remove(session)
            else:
                seq, event = found
                yield f"{run}/", msgspec.structs.replace(event, run=run, agent="", seq=seq)


def throughput(broker: Broker, folder: Path, recorded: list[list[Event]], count: int) -> float:
    """All events wait in the topic; one instance takes them in."""
    source = traffic(recorded)
    pairs = [(key, encode_event(event)) for key, event in (next(source) for _ in range(count))]
    producer = Producer({"bootstrap.servers": broker.address, "queue.buffering.max.messages": 2 * count})
    for key, value in pairs:
        producer.produce(EVENTS, value, key)
    producer.flush()
    bare = bare_monitors(pairs)
    instance = Instance(broker.address, folder / "instance", "--sessions", "5000")
    try:
        wait_until(lambda: instance.counted("taken") > count // 20, "the instance works")
        thread = main_thread(instance.process.pid)
        taken, began, used = instance.counted("taken"), Spent.so_far(thread), processor_time(instance.process.pid)
        wait_until(lambda: instance.counted("taken") >= count, "all events are processed", 900)
        taken, spent = count - taken, Spent.so_far(thread).since(began)
        used = processor_time(instance.process.pid) - used
    finally:
        instance.kill()
    own, passed = taken / used, spent.clock
    print(f"one instance, all detectors, {count:,} events of {len(recorded):,} recorded runs, 200 sessions at once")
    print(f"  {taken / passed:8,.0f} events/s by the clock    (goal: 5,000)")
    queued, blocked = spent.queued / passed, spent.blocked / passed
    print(f"  {taken / (passed - spent.queued):8,.0f} without the {queued:.0%} of that time waiting for a processor "
          f"(and {blocked:.0%} for anything else)")  # fmt: skip
    print(f"  {own:8,.0f} for each second of its processor time")
    print(f"  {bare:8,.0f} by bare Monitors that only decode and feed: ratio {own / bare:.2f}")
    return taken / passed


def bare_monitors(pairs: list[tuple[str, bytes]]) -> float:
    monitors: dict[str, Monitor] = {}
    began = time.process_time()
    for key, value in pairs:
        monitor = monitors.get(key)
        if monitor is None:
            monitor = monitors[key] = Monitor()
        monitor.feed(decode_event(value))
    return len(pairs) / (time.process_time() - began)


def processor_time(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def latency(broker: Broker, folder: Path, recorded: list[list[Event]], rate: float, seconds: float = 20.0) -> None:
    """From the moment an event is sent to the moment it, or its decision, can be read, at a steady rate."""
    instance = Instance(broker.address, folder / "instance")
    readers = {
        "the event itself (the broker alone)": Reader(broker, EVENTS, "read_committed"),
        "its decision, read at once": Reader(broker, DECISIONS, "read_uncommitted"),
        "its decision, read when it is committed": Reader(broker, DECISIONS, "read_committed"),
    }
    source = iter([(key, encode_event(event)) for key, event in islice(traffic(recorded), 2_000 + int(rate * seconds))])
    producer = Producer({"bootstrap.servers": broker.address, "linger.ms": 5})
    try:
        early = send_at(producer, source, 200.0, 10.0)  # these wait for the start of the instance
        wait_until(lambda: instance.counted("taken") >= early, "the instance works")
        for reader in readers.values():
            reader.start()
        time.sleep(3)
        for reader in readers.values():
            reader.delays.clear()
        began = Spent.so_far(main_thread(instance.process.pid))
        sent = send_at(producer, source, rate, seconds)
        spent = Spent.so_far(main_thread(instance.process.pid)).since(began)
        time.sleep(3)
    finally:
        for reader in readers.values():
            reader.stop()
        instance.kill()
    print(f"from sending an event, {sent:,} at {sent / spent.clock:,.0f}/s, to reading    (goal: p99 250 ms)")
    used, queued = spent.used / spent.clock, spent.queued / spent.clock
    print(f"  meanwhile the instance worked {used:.0%} of the time and waited for a processor {queued:.0%}")
    for name, reader in readers.items():
        p50, p99 = statistics.median(reader.delays), statistics.quantiles(reader.delays, n=100)[98]
        print(f"  {name:40} median {p50 * 1e3:5,.0f} ms, p99 {p99 * 1e3:5,.0f} ms ({len(reader.delays):,})")


class Reader(Thread):
    """Reads a topic and notes how old each message is."""

    def __init__(self, broker: Broker, topic: str, isolation: str) -> None:
        super().__init__()
        self.delays: list[float] = []
        self._is_over = False
        self._consumer = Consumer(
            {
                "bootstrap.servers": broker.address,
                "group.id": "bench",
                "fetch.wait.max.ms": 10,
                "isolation.level": isolation,
            }
        )
        self._consumer.assign([TopicPartition(topic, number, 0) for number in range(PARTITIONS)])

    def run(self) -> None:
        while not self._is_over:
            for message in self._consumer.consume(100, 0.02):
                if message.error() is None:
                    self.delays.append(time.time() - message.timestamp()[1] / 1_000)

    def stop(self) -> None:
        self._is_over = True
        if self.is_alive():
            self.join()
        self._consumer.close()


def send_at(producer: Producer, source: Iterator[tuple[str, bytes]], rate: float, seconds: float) -> int:
    began, sent = time.perf_counter(), 0
    while (passed := time.perf_counter() - began) < seconds:
        for _ in range(int(passed * rate) - sent):
            key, event = next(source)
            producer.produce(EVENTS, event, key)
            sent += 1
        producer.poll(0)
        time.sleep(0.002)
    producer.flush()
    return sent


def outage(broker: Broker, folder: Path, seconds: float) -> None:
    """Hooks of ten agents with the broker up, and for as long with the broker down."""
    os.environ |= {"HEADWAY_STATE_DIR": str(folder / "machine"), "XDG_CONFIG_HOME": str(folder / "config"),
                   "HEADWAY_FORWARD__KAFKA": broker.address}  # fmt: skip
    agents = [Program("claude-code", f"session-{number}") for number in range(10)]
    for agent in agents:
        agent.prompt("make it work")
    forwarder = subprocess.Popen([HEADWAY, "forward"], stderr=subprocess.DEVNULL)
    try:
        hook_calls(agents, 3.0)  # what is loaded and made once
        up = hook_calls(agents, seconds)
        broker.stop()
        down = hook_calls(agents, seconds)
        waiting = outgoing_counts()
        broker.start()
        wait_until(lambda: outgoing_counts().waiting == 0, "everything is sent", 300)
    finally:
        forwarder.terminate()
        forwarder.wait()
    counts = outgoing_counts()
    got = {(event.run, event.seq) for event in map(decode_event, received(broker.address, EVENTS, enough=counts.sent))}
    due = sum(max(seq for run, seq in got if run == agent.session) for agent in agents)
    print(f"broker up for {seconds:.0f} s, then down for as long; ten agents in turn, each step two calls of the hook")
    slow = 10 * statistics.median(one.clock for one in up)
    for name, steps in (("up", up), ("down", down)):
        told_steps(f"broker {name}", steps, slow)
    print(f"  {waiting.waiting:,} events waited ({waiting.bytes / 1e6:.1f} MB), {counts.sent:,} sent, "
          f"{counts.dropped} dropped, {max(due, counts.sent) - len(got)} lost    (goal: 0)")  # fmt: skip


def told_steps(name: str, steps: list[Spent], slow: float) -> None:
    """How long steps took, and what the slow ones waited for."""
    late = [one for one in steps if one.clock > slow]
    blocked = [one for one in steps if one.blocked > slow]
    median, most = statistics.median(one.clock for one in steps), max(one.clock for one in steps)
    print(f"  {name:11}: {len(steps):,} steps, median {median * 1e3:.1f} ms, slowest {most * 1e3:,.0f} ms, "
          f"{len(late)} ({len(late) / len(steps):.2%}) over {slow * 1e3:.0f} ms")  # fmt: skip
    queued, held = sum(one.queued for one in late), sum(one.blocked for one in late)
    print(f"    these {len(late)} waited {queued:.2f} s for a processor and {held:.2f} s for anything else; "
          f"{len(blocked)} steps waited over {slow * 1e3:.0f} ms for anything else    (goal: 0)")  # fmt: skip


def hook_calls(agents: list[Program], seconds: float) -> list[Spent]:
    """What each step took."""
    took, began = [], time.perf_counter()
    while time.perf_counter() - began < seconds:
        for agent in agents:
            start = Spent.so_far()
            agent.step(f"cat part-{agent.count}.py", f"part = {agent.count}")
            took.append(Spent.so_far().since(start))
    return took


if __name__ == "__main__":
    main()
