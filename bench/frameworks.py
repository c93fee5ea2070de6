"""What Headway adds to a tool call inside a framework, beside what its Monitor costs for the same events.

    python bench/frameworks.py [EXTRA…] [--markdown FILE]

Each framework runs in its environment (`make test-frameworks` builds the same ones) with a scripted model, as
`framework_runs/` says. Inside the watched runs both are timed: Headway, wherever one of its hooks does something (the
lines that only hand a call on are not timed; a profile gives them a twentieth), and the Monitor within. (Amid a
framework, with its heap and cold caches, the same steps take up to twice as long as in a loop of their own, so the two
must be measured in one place. They take turns, run by run: the Monitor's timer would count as work of Headway.) To make
a Monitor within a hook is part of the Monitor's cost. Beside it stands what the whole run takes more than with hooks of
the same kind that do nothing; that difference of large numbers is rough. Processor time, the best of several runs. The
goal is 1.5 × the Monitor's own cost.
"""

import gc
import json
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial, wraps
from importlib import import_module
from inspect import iscoroutinefunction
from pathlib import Path
from tempfile import NamedTemporaryFile
from threading import local

from framework_runs import CALLS, NAMES

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "examples" / "frameworks")]  # tests, and the examples they run

ROUNDS, GOAL = 9, 1.5
HERE, ROUNDS_HERE = ("guard", "opentelemetry"), 60
"""Those that need no environment of their own. Their runs are so short that nine of them may all be disturbed."""
TRIES = f"{ROUNDS} runs ({ROUNDS_HERE} of {' and '.join(HERE)})"
FAILED = "FAILED"


def main() -> None:
    """Measure each framework in its own environment."""
    options = arguments()
    print(f"per call, {CALLS} calls a run, best of {TRIES} (goal: {GOAL} ×)")
    rows = {}
    for name in options.extras:
        rows[name] = measured_apart(name)
        print(f"  {name:16} {in_words(rows[name])}", flush=True)
    if options.markdown:
        options.markdown.write_text(page(rows))
    if any(isinstance(row, str) and row.startswith(FAILED) for row in rows.values()):
        raise SystemExit(1)


def arguments():
    parser = ArgumentParser(description="What Headway adds to a tool call inside a framework.")
    parser.add_argument("extras", nargs="*", metavar="EXTRA", help=f"all, or some of: {', '.join(NAMES)}")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table to a page as well")
    options = parser.parse_args()
    if unknown := set(options.extras) - set(NAMES):
        parser.error(f"no run for {', '.join(sorted(unknown))}; known are: {', '.join(NAMES)}")
    options.extras = options.extras or NAMES
    return options


def measured_apart(name: str) -> dict[str, float] | str:
    """The figures of a framework from a process of its own, or why there are none."""
    from tests.hosts.environments import environment, python_for

    python = sys.executable if name in HERE else python_for(name)
    if not python:
        return f"not measured: it needs a newer Python than {sys.version.split()[0]}, and none is on the PATH"
    if name not in HERE:
        python = environment(name, python)
    with NamedTemporaryFile("r", suffix=".json") as figures:  # frameworks print what they like
        command = [python, __file__, "--here", name, figures.name]
        done = subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
        return json.load(figures) if done.returncode == 0 else f"{FAILED} with exit code {done.returncode}"


def measure(name: str) -> dict[str, float]:
    """Measure one framework, in this process: microseconds per call."""
    spent, time_monitor = time_hooks_and_monitor()
    run = import_module(f"framework_runs.{name.replace('-', '_')}").prepare()
    seen: dict[str, list[float]] = {"hooks": [], "monitor": [], "idle": [], "watched": []}
    for _ in range((ROUNDS_HERE if name in HERE else ROUNDS) + 1):  # the first warms up
        seen["idle"].append(timed(partial(run, "idle")))
        spent.update(hooks=0.0, monitor=0.0, results=0)
        seen["watched"].append(timed(partial(run, "watched")))
        seen["hooks"].append(spent["hooks"])
        time_monitor(True)
        timed(partial(run, "watched"))
        time_monitor(False)
        seen["monitor"].append(spent["monitor"])
        if spent["results"] != CALLS:
            raise SystemExit(
                f"{name}: {CALLS} results were expected, {spent['results']} seen: the figures mean nothing"
            )
    return {kind: min(times[1:]) / CALLS * 1e6 for kind, times in seen.items()}


def time_hooks_and_monitor() -> tuple[dict[str, float], Callable[[bool], None]]:
    """Have everything timed that goes through Headway's hooks, before adapters are loaded.

    The second answer switches the timer of the Monitor within on and off.
    """
    from headway import Monitor
    from headway.hosts.frameworks import harmless as module

    spent = {"hooks": 0.0, "monitor": 0.0, "results": 0}
    inside, harmless = local(), module.harmless

    def timing(kind, function):
        """The same function, timed where it is not part of what is being timed."""
        if iscoroutinefunction(function):

            async def timed(*args, **kwargs):
                if getattr(inside, kind, False):
                    return await function(*args, **kwargs)
                setattr(inside, kind, True)
                start = time.thread_time()
                try:
                    return await function(*args, **kwargs)
                finally:
                    spent[kind] += time.thread_time() - start
                    setattr(inside, kind, False)
        else:

            def timed(*args, **kwargs):
                is_outside = kind == "monitor" and not getattr(inside, "hooks", False)  # made before the run, say
                if is_outside or getattr(inside, kind, False):
                    return function(*args, **kwargs)
                setattr(inside, kind, True)
                start = time.thread_time()
                try:
                    return function(*args, **kwargs)
                finally:
                    spent[kind] += time.thread_time() - start
                    setattr(inside, kind, False)

        return wraps(function)(timed)

    def counting(function):
        @wraps(function)
        def counted(*args, **kwargs):
            spent["results"] += 1
            return function(*args, **kwargs)

        return counted

    module.harmless = lambda hook: timing("hooks", harmless(hook))
    names = ("__init__", "called", "returned", "used", "user_spoke", "agent_spoke")
    plain = {name: getattr(Monitor, name) for name in names}
    with_timer = {name: timing("monitor", function) for name, function in plain.items()}
    with_timer["returned"] = counting(with_timer["returned"])

    def time_monitor(on: bool) -> None:
        for name, function in (with_timer if on else plain).items():
            setattr(Monitor, name, function)

    return spent, time_monitor


def timed(action: Callable[[], object]) -> float:
    gc.collect()
    gc.disable()  # when the garbage of a framework's heap is collected is chance, and costs more than what is measured
    try:
        start = time.process_time()
        action()
        return time.process_time() - start
    finally:
        gc.enable()


def in_words(row: dict[str, float] | str) -> str:
    if isinstance(row, str):
        return row
    hooks, monitor, idle, watched = row.values()
    return (
        f"Headway {hooks:6.1f} µs   Monitor {monitor:6.1f} µs   ratio {hooks / monitor:5.2f} ×"
        f"   (whole run {watched - idle:+7.1f} µs on top of {idle:8.1f})"
    )


PAGE = f"""\
# What watching costs inside a framework

*Written by `python bench/frameworks.py --markdown docs/frameworks-cost.md`; do not edit by hand.*

Microseconds of processor time per tool call: {CALLS} calls a run, a scripted model, the best of {TRIES}.
*Headway* is the time of our hooks without the lines that only pass a call on, *Monitor* the part of it that evaluates.
The goal is a ratio of at most {GOAL}. *Framework* is the time of a call without Headway.

| | Headway | Monitor | ratio | framework |
|---|---:|---:|---:|---:|
"""


def page(rows: dict[str, dict[str, float] | str]) -> str:
    """The table as a page."""
    lines = []
    for name, row in rows.items():
        if isinstance(row, str):
            lines.append(f"| {name} | {row} | | | |")
        else:
            hooks, monitor, idle, _ = row.values()
            lines.append(f"| {name} | {hooks:.0f} | {monitor:.0f} | {hooks / monitor:.2f} | {idle:,.0f} |")
    return PAGE + "\n".join(lines) + "\n"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:
        Path(sys.argv[3]).write_text(json.dumps(measure(sys.argv[2])))
    else:
        main()
