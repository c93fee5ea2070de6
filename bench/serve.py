"""What `headway serve` costs: time of a hook call through it, events in a second, and memory.

Run with `.venv/bin/python bench/serve.py [ROUNDS]`. Times of a call are measured in turn with a bare `python -c pass`,
so that a busy machine slows all of them. The load comes from one process with 32 sessions, each of which sends its next
event when the last one is answered; it shares the machine with the service. On a busy machine the rate says little: the
processor time that the service used tells what it would do with a processor to itself.
"""

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import count
from pathlib import Path

import hook

import headway

HEADWAY = str(Path(sys.executable).parent / "headway")
CLIENT = str(Path(headway.__file__).parent / "hosts" / "hook" / "client.py")
AT_ONCE, EVENTS_EACH = 32, 200
SESSIONS, STEPS_EACH = 500, 20
numbers = count(1)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory(prefix="hw") as folder:
        os.environ["HEADWAY_STATE_DIR"] = folder
        with service() as (process, address):
            latency(address, rounds)
            load(process)
        with service() as (process, _):
            memory(process)


@contextmanager
def service() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A service of its own, until the end of the block."""
    command = [HEADWAY, "serve", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().split("//")[1].strip()
    finally:
        process.terminate()
        process.wait()


def latency(address: str, rounds: int) -> None:
    connection = HTTPConnection(address)
    token = Path(os.environ["HEADWAY_STATE_DIR"], "serve.token").read_text().strip()

    def over_http(sent: bytes) -> float:
        start = time.perf_counter()
        connection.request("POST", "/hook/claude-code", sent, {"Authorization": f"Bearer {token}"})
        connection.getresponse().read()
        return time.perf_counter() - start

    through_socket = [sys.executable, "-I", "-S", CLIENT, "--agent", "claude-code"]
    kinds = {"before a call": "PreToolUse", "after a batch": "PostToolBatch"}
    cases: dict[str, Callable[[], float]] = {"python -c pass": lambda: hook.timed([sys.executable, "-c", "pass"], b"")}
    for name, kind in kinds.items():
        cases[f"socket client, {name}"] = lambda kind=kind: hook.timed(through_socket, event(kind))  # type: ignore[misc]
        cases[f"HTTP, {name}"] = lambda kind=kind: over_http(event(kind))  # type: ignore[misc]
        cases[f"process, {name}"] = lambda kind=kind: hook.hook(event(kind))  # type: ignore[misc]
    times = hook.measure(cases, rounds)
    base = statistics.median(times["python -c pass"])
    print(f"{'':32}{'p50':>9}{'p95':>9}{'p50 against pass':>19}")
    for name, spent in times.items():
        middle, high = statistics.median(spent), statistics.quantiles(spent, n=20)[-1]
        print(f"{name:32}{middle * 1000:6.1f} ms{high * 1000:6.1f} ms{middle / base:17.2f} ×")
    socket = max(statistics.median(times[f"socket client, {name}"]) for name in kinds) / base
    http = max(statistics.median(times[f"HTTP, {name}"]) for name in kinds) * 1000
    print(f"\nsocket client: p50 {socket:.2f} × pass (goal ≤ 1.5); HTTP: p50 {http:.1f} ms (goal ≤ 2)")


def event(kind: str, session: str = "latency") -> bytes:
    return hook.event(session, next(numbers), kind)


def load(process: subprocess.Popen[str]) -> None:
    """Many sessions at once, each a step after the other."""
    spent: list[float] = []
    start, used = time.perf_counter(), processor_time(process)
    asyncio.run(_all(spent, [f"load-{number}" for number in range(AT_ONCE)], EVENTS_EACH))
    rate = len(spent) / (time.perf_counter() - start)
    alone = len(spent) / (processor_time(process) - used)
    high = statistics.quantiles(spent, n=100)[-1] * 1000
    print(f"{AT_ONCE} sessions at once: {rate:.0f} events/s (goal ≥ 2000), p99 {high:.1f} ms (goal ≤ 50)")
    print(f"  {alone:.0f} events in a second of the service's processor time")


def processor_time(process: subprocess.Popen[str]) -> float:
    """Seconds that a process has used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _all(spent: list[float], sessions: list[str], events: int) -> None:
    await asyncio.gather(*(_session(name, events, spent) for name in sessions))


async def _session(name: str, events: int, spent: list[float]) -> None:
    path = os.environ["HEADWAY_STATE_DIR"] + "/serve.sock"
    for turn in range(events // 2):
        for kind in ("PreToolUse", "PostToolBatch"):
            raw = hook.event(name, turn, kind)
            start = time.perf_counter()
            reader, writer = await asyncio.open_unix_connection(path)
            writer.write(
                b"headway 1 %s.%d.%s %d --agent claude-code\n" % (name.encode(), turn, kind.encode(), len(raw))
            )
            writer.write(raw)
            await reader.read()
            writer.close()
            spent.append(time.perf_counter() - start)


def memory(process: subprocess.Popen[str]) -> None:
    """What the service needs for many sessions that are all active."""
    names = [f"memory-{number}" for number in range(SESSIONS)]
    spent: list[float] = []
    for first in range(0, SESSIONS, AT_ONCE):
        asyncio.run(_all(spent, names[first : first + AT_ONCE], 2 * STEPS_EACH))
    status = Path(f"/proc/{process.pid}/status").read_text()
    peak = int(status.partition("VmHWM:")[2].split()[0]) / 1024
    print(f"{SESSIONS} sessions of {STEPS_EACH} steps: {peak:.0f} MB at most (goal ≤ 150)")


if __name__ == "__main__":
    main()
