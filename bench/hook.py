"""What a hook call costs: wall time against `python -c pass` on the same interpreter, early and late in a session.

Run with `.venv/bin/python bench/hook.py [ROUNDS]`. The two are measured in turn, so that a busy machine slows both. A
step of Claude Code is three events (before the call, after it, after the batch); most events need no judgement, and
those that do load the engine.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

EVENTS_BEFORE = 10_000
COMMAND = [str(Path(sys.executable).parent / "headway"), "hook", "--agent", "claude-code"]


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HEADWAY_STATE_DIR"] = folder
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode beside it
        play("long", EVENTS_BEFORE // 2)
        play("short", 1)
        number = iter(range(10_000_000, 20_000_000))
        cases: dict[str, Callable[[], float]] = {
            "python -c pass": lambda: timed([sys.executable, "-c", "pass"], b""),
            "before a call": lambda: hook(event("short", next(number), "PreToolUse")),
            "after a call": lambda: hook(event("short", next(number), "PostToolUse")),
            "after a batch": lambda: hook(event("short", 0, "PostToolBatch")),
            "after a call, 10,000 events before": lambda: hook(event("long", next(number), "PostToolUse")),
            "before a call, 10,000 events before": lambda: hook(event("long", next(number), "PreToolUse")),
        }
        times = measure(cases, rounds)
    report(times)


def measure(cases: dict[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in cases}
    for turn in range(rounds + 2):
        for name, case in cases.items():
            spent = case()
            if turn >= 2:  # the first ones fill caches
                times[name].append(spent)
    return times


def report(times: dict[str, list[float]]) -> None:
    base = statistics.median(times["python -c pass"])
    print(f"{'':38}{'p50':>9}{'p95':>9}{'p50 against pass':>19}")
    for name, spent in times.items():
        middle, high = statistics.median(spent), statistics.quantiles(spent, n=20)[-1]
        print(f"{name:38}{middle * 1000:6.1f} ms{high * 1000:6.1f} ms{middle / base:17.2f} ×")
    step = [*times["before a call"], *times["after a call"], *times["after a batch"]]
    short, long = (statistics.median(times[name]) for name in ("after a call", "after a call, 10,000 events before"))
    print(f"\nall events of a step together: p50 {statistics.median(step) / base:.2f} × pass (goal ≤ 6)")
    print(f"an event that is judged:       p50 {short / base:.2f} × pass (goal ≤ 6)")
    print(f"10,000 events before against 1: {long / short:.2f} × (goal ≤ 1.2)")


def hook(sent: bytes) -> float:
    return timed(COMMAND, sent)


def timed(command: list[str], sent: bytes) -> float:
    start = time.perf_counter()
    subprocess.run(command, input=sent, check=True, capture_output=True)
    return time.perf_counter() - start


def event(session: str, number: int, name: str) -> bytes:
    """An event of a session that reads, searches, edits and tests; nothing is wrong with it."""
    tool, args, response = WORK[number % len(WORK)]
    call = {"tool_name": tool, "tool_input": args(number), "tool_use_id": f"call-{number}"}
    common = {"session_id": session, "cwd": "/home/dev/project", "hook_event_name": name, "prompt_id": "p"}
    if name == "PostToolBatch":
        return json.dumps({**common, "tool_calls": [{**call, "tool_response": "done"}]}).encode()
    result = {} if name == "PreToolUse" else {"tool_response": response(number)}
    return json.dumps({**common, **call, **result}).encode()


WORK = (
    ("Read", lambda n: {"file_path": f"src/m{n % 400}.py"}, lambda n: {"file": {"content": f"x = {n}\n" * 40}}),
    ("Grep", lambda n: {"pattern": f"name_{n}"}, lambda n: {"mode": "files", "filenames": [f"m{n}.py"], "numFiles": 1}),
    (
        "Edit",
        lambda n: {"file_path": f"src/m{n % 400}.py", "old_string": f"x = {n}", "new_string": f"y = {n}"},
        lambda n: {"filePath": f"src/m{n % 400}.py", "originalFile": f"x = {n}\n" * 40},
    ),
    ("Bash", lambda n: {"command": f"make part-{n}"}, lambda n: {"stdout": f"built {n}\n" * 30, "stderr": ""}),
    ("Bash", lambda _: {"command": "pytest -q"}, lambda n: {"stdout": f"{n} passed in 0.{n}s\n", "stderr": ""}),
)


def play(session: str, steps: int) -> None:
    """Leave a session behind that has seen so many steps: through the hook's own code, in this process."""
    from headway.hosts.hook.call import respond

    for number in range(steps):
        respond(event(session, number, "PostToolUse"), ["--agent", "claude-code"])


if __name__ == "__main__":
    main()
