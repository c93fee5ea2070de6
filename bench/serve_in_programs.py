"""What a step costs inside of the real Claude Code: without a hook, with a process, through the socket and over HTTP.

Run with `.venv/bin/python bench/serve_in_programs.py [ROUNDS]`; `python -m tests.e2e.programs claude-code` gets
the program first. Each way runs the same scripted session; a step is one call of a tool with its result. The ways are
measured in turn.
"""

import os
import shutil
import statistics
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.e2e.agents import AGENTS
from tests.e2e.models import Say
from tests.e2e.place import Place
from tests.e2e.test_service import service

STEPS = 20
WAYS = ("none", "process", "socket", "http")


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    times: dict[str, list[float]] = {way: [] for way in WAYS}
    for _ in range(rounds):
        for way in WAYS:
            times[way].append(session(way))
    base = statistics.median(times["none"])
    print(f"a step of Claude Code without a hook: {base / STEPS * 1000:.0f} ms")
    for way in WAYS[1:]:
        more = (statistics.median(times[way]) - base) / STEPS * 1000
        print(f"{way:8} + {more:.0f} ms a step")


def session(way: str) -> float:
    """Seconds of a whole session."""
    agent = AGENTS["claude-code"]
    folder, state = Path(tempfile.mkdtemp(prefix="hw")), Path(tempfile.mkdtemp(prefix="hw"))
    turns = [[agent.shell(f"echo {number}")] for number in range(STEPS)]
    try:
        with agent.model(*turns, [Say("done")]) as model:
            place = Place(folder, model.url)
            place.environment["HEADWAY_STATE_DIR"] = str(state)
            os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
            agent.prepare(place)
            with service(place, state) if way in ("socket", "http") else nullcontext():
                if way != "none":
                    assert place.run("headway", "install", agent.name, "--via", way).exit_code == 0
                start = time.perf_counter()
                ran = place.run(*agent.command())
                spent = time.perf_counter() - start
            assert ran.exit_code == 0 and len(model.asked) == STEPS + 1
            return spent
    finally:
        shutil.rmtree(folder)
        shutil.rmtree(state)


if __name__ == "__main__":
    main()
