"""What a hook call costs: wall time against `python -c pass` on the same interpreter, early and late in a session.

Run with `.venv/bin/python bench/hook.py [ROUNDS]`. The two are measured in turn, so that a busy machine slows both. A
step of Claude Code is two events: one before the call, which mostly needs no judgement, and one after all calls of an
answer, which loads the engine. With `--each` it is what it was when each call had an event after it as well: three.
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


PARALLEL = 12
"""Calls of one answer, for the cost of calls that are asked for together."""


def main() -> None:
    words = [word for word in sys.argv[1:] if word != "--each"]
    rounds = int(words[0]) if words else 40
    each = "--each" in sys.argv
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HEADWAY_STATE_DIR"] = folder
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode beside it
        play("long", EVENTS_BEFORE // 2)
        play("short", 1)
        limits = {"max_seconds": "9e9", "max_tokens": "900_000_000_000", "max_cost_usd": "9e9"}
        for name, amount in limits.items():
            (Path(folder) / name).mkdir()
            (Path(folder) / name / "headway.toml").write_text(f"[global]\n{name} = {amount}\n")
            hook(limited(folder, name, 0, "UserPromptSubmit"))
        number = iter(range(10_000_000, 20_000_000))
        cases: dict[str, Callable[[], float]] = {
            "python -c pass": lambda: timed([sys.executable, "-c", "pass"], b""),
            "before a call": lambda: hook(event("short", next(number), "PreToolUse")),
            "after a batch": lambda: hook(event("short", next(number), "PostToolBatch")),
            "after a batch, 10,000 events before": lambda: hook(event("long", next(number), "PostToolBatch")),
            "before a call, 10,000 events before": lambda: hook(event("long", next(number), "PreToolUse")),
            "before a call, with a limit of time": lambda: hook(
                limited(folder, "max_seconds", next(number), "PreToolUse")
            ),
            "before a call, with a limit of tokens": lambda: hook(
                limited(folder, "max_tokens", next(number), "PreToolUse")
            ),
            "before a call, with a limit of money": lambda: hook(
                limited(folder, "max_cost_usd", next(number), "PreToolUse")
            ),
            "a step": lambda: step("short", [next(number)], each),
            f"{PARALLEL} parallel calls": lambda: step("short", [next(number) for _ in range(PARALLEL)], each),
        }
        times = measure(cases, rounds)
    report(times, each)


def measure(cases: dict[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in cases}
    for turn in range(rounds + 2):
        for name, case in cases.items():
            spent = case()
            if turn >= 2:  # the first ones fill caches
                times[name].append(spent)
    return times


def step(session: str, numbers: list[int], each: bool) -> float:
    """All events of an answer with so many calls, one after the other; real ones overlap."""
    spent = sum(hook(event(session, number, "PreToolUse")) for number in numbers)
    if each:
        spent += sum(hook(event(session, number, "PostToolUse")) for number in numbers)
    return spent + hook(event(session, numbers, "PostToolBatch"))


def report(times: dict[str, list[float]], each: bool) -> None:
    base = statistics.median(times["python -c pass"])
    print(f"{'':38}{'p50':>9}{'p95':>9}{'p50 against pass':>19}")
    for name, spent in times.items():
        middle, high = statistics.median(spent), statistics.quantiles(spent, n=20)[-1]
        print(f"{name:38}{middle * 1000:6.1f} ms{high * 1000:6.1f} ms{middle / base:17.2f} ×")
    short, long = (statistics.median(times[name]) for name in ("after a batch", "after a batch, 10,000 events before"))
    calls = 1 + each
    print(f"\nprocesses: {calls + 1} for a step, {PARALLEL * calls + 1} for {PARALLEL} parallel calls")
    print(f"a step:                        p50 {statistics.median(times['a step']) / base:.2f} × pass (goal ≤ 9)")
    print(f"an event that is judged:       p50 {short / base:.2f} × pass (goal ≤ 4)")
    print(f"10,000 events before against 1: {long / short:.2f} × (goal ≤ 1.2)")
    time, money = (statistics.median(times[f"before a call, with a limit of {what}"]) for what in ("time", "money"))
    print(f"a limit of money against one of time: {money / time:.2f} ×")


def hook(sent: bytes) -> float:
    return timed(COMMAND, sent)


def timed(command: list[str], sent: bytes) -> float:
    start = time.perf_counter()
    subprocess.run(command, input=sent, check=True, capture_output=True)
    return time.perf_counter() - start


def event(session: str, numbers: int | list[int], name: str) -> bytes:
    """An event of a session that reads, searches, edits and tests; nothing is wrong with it."""
    common = {"session_id": session, "cwd": "/home/dev/project", "hook_event_name": name, "prompt_id": "p"}
    calls = [call_of(number) for number in (numbers if isinstance(numbers, list) else [numbers])]
    if name == "PostToolBatch":
        return json.dumps({**common, "tool_calls": calls}).encode()
    (call,) = calls
    text = call.pop("tool_response")
    return json.dumps({**common, **call, **({"tool_response": text} if name == "PostToolUse" else {})}).encode()


def limited(folder: str, limit: str, number: int, name: str) -> bytes:
    """An event of a session with a limit, before which the transcript has got a response and its 20 kB of results."""
    transcript = Path(folder) / f"{limit}.jsonl"
    usage = {"input_tokens": 9, "cache_read_input_tokens": 90_000, "output_tokens": 400}
    message = {"id": f"m{number}", "model": "claude-sonnet-4-5-20250929", "usage": usage, "content": "x" * 2_000}
    with transcript.open("a") as lines:
        lines.write(json.dumps({"type": "user", "text": "x" * 20_000}) + "\n")
        lines.write(json.dumps({"type": "assistant", "requestId": f"r{number}", "message": message}) + "\n")
    said = json.loads(event(limit, number, name)) | {"cwd": str(Path(folder) / limit), "prompt": "go on"}
    return json.dumps(said | {"transcript_path": str(transcript)}).encode()


def call_of(number: int) -> dict[str, object]:
    tool, args, response = WORK[number % len(WORK)]
    call = {"tool_name": tool, "tool_input": args(number), "tool_use_id": f"call-{number}"}
    return call | {"tool_response": response(number)}


WORK = (
    ("Read", lambda n: {"file_path": f"src/m{n % 400}.py"}, lambda n: "".join(f"{i}\tx = {n}\n" for i in range(40))),
    ("Grep", lambda n: {"pattern": f"name_{n}"}, lambda n: f"Found 1 file\nm{n}.py"),
    (
        "Edit",
        lambda n: {"file_path": f"src/m{n % 400}.py", "old_string": f"x = {n}", "new_string": f"y = {n}"},
        lambda n: f"The file src/m{n % 400}.py has been updated successfully.",
    ),
    ("Bash", lambda n: {"command": f"make part-{n}"}, lambda n: f"built {n}\n" * 30),
    ("Bash", lambda _: {"command": "pytest -q"}, lambda n: f"{n} passed in 0.{n}s\n"),
)


def play(session: str, steps: int) -> None:
    """Leave a session behind that has seen so many steps: through the hook's own code, in this process."""
    from headway.hosts.hook.call import respond

    for number in range(steps):
        respond(event(session, number, "PostToolBatch"), ["--agent", "claude-code"])


if __name__ == "__main__":
    main()
