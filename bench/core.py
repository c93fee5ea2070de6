"""What the core costs: per step, with growing history, in memory, and for a huge output.

    python bench/core.py [RUNS.jsonl.gz]

Times are processor time, and are compared with `json.loads` of the same steps in the same run, because machines are
noisy and different.
Without a pack of runs it measures the recordings in examples/.
"""

import argparse
import json
import resource
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import msgspec
from recorded import Step, runs

from headway import Monitor, encode_event
from headway.core import events
from headway.core.events import Event


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pack", nargs="?", help="runs.jsonl.gz; without it, examples/")
    parser.add_argument("--quick", action="store_true", help="a tenth of the history and of the events")
    options = parser.parse_args()
    recorded = list(runs(options.pack))
    part = 10 if options.quick else 1
    cost_per_step(recorded)
    cost_of_history([step for _, steps in recorded for step in steps], 100_000 // part)
    cost_of_a_huge_output()
    with ProcessPoolExecutor(
        1, get_context("spawn")
    ) as fresh_process:  # a peak is only told by a process without a past
        fresh_process.submit(growth_of_memory, 1_000_000 // part).result()


def cost_per_step(recorded: list[tuple[str, list[Step]]]) -> None:
    """Each step through a monitor with all detectors, beside parsing the same step from JSON."""
    for _, steps in recorded[:5]:  # what a process loads once is not a cost of its steps
        feed_all(Monitor(), steps, len(steps))
    ours: list[float] = []
    once = best = 0.0
    for _, steps in recorded:
        texts = [encode_event(event) for step in steps for event in step]
        # all steps of a run at once: reading the clock for each would count as much as parsing a small one
        parsing = [timed(lambda texts=texts: [json.loads(text) for text in texts]) for _ in range(3)]
        once, best = once + parsing[0], best + min(parsing)
        monitor = Monitor()
        for step in steps:
            ours.append(timed(lambda step=step, monitor=monitor: [monitor.feed(event) for event in step]))
    parsed, warm = once / len(ours), best / len(ours)
    mean, slow = statistics.fmean(ours), percentile(ours, 99)
    print(f"processor time per step, all detectors, {len(ours):,} steps of {len(recorded):,} runs")
    print(f"  json.loads   mean {parsed * 1e6:7.1f} µs   once, as Headway; best of three {warm * 1e6:.1f} µs")
    print(f"  headway      mean {mean * 1e6:7.1f} µs   p99 {slow * 1e6:7.1f} µs")
    print(f"  ratio        mean {mean / parsed:7.1f} ×    p99 {slow / parsed:7.1f} ×"
          "    (goals: 10 ×, 60 × the mean of json.loads)")  # fmt: skip
    print(f"               mean {mean / warm:7.1f} ×    p99 {slow / warm:7.1f} ×    to the best of three")


def cost_of_history(steps: list[Step], length: int) -> None:
    """The same thousand steps, fed early and late in one long session, several times over."""
    probe = [[of_one_run(event) for event in step] for step in steps if len(step) >= 2][:1000]
    early, late = Monitor(), Monitor()
    feed_all(early, probe, 1_000)
    feed_all(late, probe, length)

    def thousand(monitor: Monitor) -> float:
        return timed(lambda: feed_all(monitor, probe, 1_000))

    pairs = [(thousand(early), thousand(late)) for _ in range(9)]
    first, last = (min(pair[which] for pair in pairs) / 1_000 for which in (0, 1))
    ratio = statistics.median(b / a for a, b in pairs)
    print(f"processor time per step after 1,000 steps of history {first * 1e6:.1f} µs, "
          f"after {length:,} {last * 1e6:.1f} µs: ratio {ratio:.2f}    (goal: 1.15)")  # fmt: skip


def of_one_run(event: Event) -> Event:
    """The event without the run it came from: steps of several runs make up one long session."""
    return msgspec.structs.replace(event, run="", agent="", seq=None)


def cost_of_a_huge_output() -> None:
    """One result of a megabyte, beside one pass over it."""
    text = "".join(f"line {n} of a long log with some words in it\n" for n in range(25_000))[:1_000_000]
    monitor = Monitor()
    number = iter(range(10**9))

    def step() -> None:
        id = str(next(number))
        monitor.feed(events.ToolCalled(call=id, tool="Bash", args={"command": f"make {id}"}))
        monitor.feed(events.ToolReturned(call=id, output=text + id))

    one_pass = min(timed(lambda: (text + "x").encode()) + timed(lambda: text.count("\n")) for _ in range(20)) / 2
    ours = statistics.median(timed(step) for _ in range(20))
    encoded = json.dumps(text)
    parsing = statistics.median(timed(lambda: json.loads(encoded)) for _ in range(20))
    print(f"a result of 1 MB, processor time: {ours * 1e3:.2f} ms; json.loads of it {parsing * 1e3:.2f} ms, "
          f"one plain pass {one_pass * 1e3:.2f} ms")  # fmt: skip


def growth_of_memory(count: int) -> None:
    """Peak memory after 10,000 events and after very many, with tools, files and errors that never repeat."""
    monitor = Monitor()
    feed_varied(monitor, 0, 10_000)
    before = peak()
    feed_varied(monitor, 10_000, count)
    growth = (peak() - before) / 2**20
    print(f"memory growth between 10,000 and {count:,} events: {growth:.2f} MiB    (goal: 2 MiB)")
    print(f"saved state after {count:,} events: {len(monitor.save()) / 1024:.0f} KiB")


def feed_varied(monitor: Monitor, first: int, last: int) -> None:
    for n in range(first, last, 3):
        id = f"call-{n}"
        monitor.feed(events.AgentSpoke(text=f"Now step {n}, what about it?"))
        monitor.feed(events.ToolCalled(call=id, tool=f"tool{n % 5000}", args={"path": f"src/{n % 70}/{n}.py", "n": n}))
        monitor.feed(events.ToolReturned(call=id, output=f"output {n} " + "x" * (n % 500), failed=n % 7 == 0))


def feed_all(monitor: Monitor, steps: list[Step], count: int) -> None:
    for n in range(count):
        for event in steps[n % len(steps)]:
            monitor.feed(event)


def timed(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


def percentile(values: list[float], which: int) -> float:
    return sorted(values)[min(len(values) - 1, len(values) * which // 100)]


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main()
