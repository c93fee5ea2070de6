"""What Headway itself costs in a round of a work loop, beside what git needs to look at the same files.

python bench/loop.py [FILES]

The yardstick is a warm `git status` plus a `git add -A` into a scratch index, measured between our own parts in each
round of the same run. The goal is at most 1.5 times that, by the clock. Processor time is told besides: other programs
disturb it less.
"""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar

from headway.config.settings import Settings
from headway.loop import round_measuring
from headway.loop.changes import changed_between
from headway.loop.screen import Screen
from headway.loop.spec import LoopSpec
from headway.loop.starting import start_loop
from headway.probes import Reading, measure
from headway.snapshots import Repository, Snapshot, take

T = TypeVar("T")
ROUNDS = 15
EDITED = 5
GOAL = 1.5
YARDSTICK = ("git status", "git add -A")
OURS = ("snapshot before", "snapshot after", "changes between")
WHOLE = "whole round"
"""From the end of measuring one round to the end of the next, without the agent by itself. There are no tests."""
AGENT = "for n in 0 1 2 3 4; do echo more >> src/package$n/module$n/file$n.py; done"


class Cost(NamedTuple):
    """Seconds by the clock, and those of processors, in this process and the gits that it started."""

    elapsed: float
    processor: float

    @classmethod
    def so_far(cls) -> "Cost":
        used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        return cls(time.perf_counter(), sum(one.ru_utime + one.ru_stime for one in used))

    def since(self, start: "Cost") -> "Cost":
        return Cost(self.elapsed - start.elapsed, self.processor - start.processor)


Round = dict[str, Cost]


def main() -> None:
    count = int(sys.argv[1]) if sys.argv[1:] else 10_000
    with TemporaryDirectory(prefix="headway-bench-") as place:
        project = built(Path(place) / "project", count)
        taken = list(rounds(project, Path(place) / "scratch-index"))
        looped = whole_rounds(project, Path(place) / "scratch-index")
    middle = {name: statistics.median(one[name].elapsed for one in taken) for name in (*YARDSTICK, *OURS)}
    print(f"a round in a repository of {count:,} files, {EDITED} of them edited; median of {ROUNDS} rounds\n")
    for name, seconds in middle.items():
        print(f"{name:>20} {seconds * 1e3:8.1f} ms")
    print()
    print(ratio("a round of the loop", taken, OURS[1:]) + f"   goal: at most {GOAL} x")
    print(ratio("with both snapshots", taken, OURS) + "   (the loop has the one before from the round before)")
    whole = statistics.median(one[WHOLE].elapsed for one in looped)
    print(f"{WHOLE:>20} {whole * 1e3:8.1f} ms")
    print(ratio(WHOLE, looped, (WHOLE,)) + f"   journal, prompt, snapshot, counting, reports; goal: at most {GOAL} x")


def ratio(name: str, taken: list[Round], parts: tuple[str, ...]) -> str:
    """Each round against the yardstick of the same round, so that a busy machine slows down both."""
    ours = [[one[part] for part in parts] for one in taken]
    gits = [[one[part] for part in YARDSTICK] for one in taken]
    elapsed, processor = (
        statistics.median(
            sum(one[kind] for one in we) / sum(one[kind] for one in they) for we, they in zip(ours, gits, strict=True)
        )
        for kind in (0, 1)
    )
    return f"{name:>20} {elapsed:8.2f} x git ({processor:.2f} x its processor time)"


def rounds(project: Path, scratch_index: Path) -> Iterator[Round]:
    """The same few edits again and again, each with what git and we take to see them."""
    shutil.copy2(project / ".git" / "index", scratch_index)
    repository = Repository.at(project)
    take(repository, "bench/first", "everything is hashed once")
    for number in range(ROUNDS):
        before, snapshot_before = timed(lambda: take(repository, "bench/before", "before the round"))
        edit(project, number)
        _, status = timed(lambda: git(project, "status", "--porcelain"))
        after, snapshot_after = timed(lambda: take(repository, "bench/after", "after the round"))
        _, add = timed(lambda: git(project, "add", "-A", GIT_INDEX_FILE=str(scratch_index)))
        _, between = timed(partial(counted, before, after, repository))
        parts = (status, add, snapshot_before, snapshot_after, between)
        yield dict(zip((*YARDSTICK, *OURS), parts, strict=True))


def whole_rounds(project: Path, scratch_index: Path) -> list[Round]:
    """A real loop with an agent that makes the same edits; git's part is measured before the round is measured."""
    found: list[Round] = []
    aside = scratch_index.parent / "aside"  # the agent alone makes its edits there
    for file in range(EDITED):
        path_of(aside, file).parent.mkdir(parents=True, exist_ok=True)
    left = [Cost.so_far()]

    def measure_after_git(*arguments: Any, **options: Any) -> list[Reading]:
        whole = Cost.so_far().since(left[0])
        _, status = timed(lambda: git(project, "status", "--porcelain"))
        _, add = timed(lambda: git(project, "add", "-A", GIT_INDEX_FILE=str(scratch_index)))
        _, agent = timed(lambda: subprocess.run(["sh", "-c", AGENT], cwd=aside, check=True))
        readings, measuring = timed(lambda: measure(*arguments, **options))
        if not readings[0].measured.file_count:
            raise SystemExit(f"expected files to be counted, and {readings} was found: the figures mean nothing")
        whole = Cost(*(a - b + c for a, b, c in zip(whole, agent, measuring, strict=True)))
        found.append({WHOLE: whole, **dict(zip(YARDSTICK, (status, add), strict=True))})
        left[0] = Cost.so_far()
        return readings

    round_measuring.measure = measure_after_git
    spec = LoopSpec(command=("sh", "-c", AGENT), task="go on", max_rounds=ROUNDS, no_tests=True)
    settings = Settings.of({"loop": {"stuck_after": 1000}, "detectors": {"stalled": {"enabled": False}}})
    with start_loop(spec, settings, project, Screen(to=BytesIO(), terminal=False), loop_id="bench") as loop:
        state = loop.run()
    if state.number != ROUNDS:
        raise SystemExit(f"expected {ROUNDS} rounds, and {state.number} were made: the figures mean nothing")
    return found[1:]  # the baseline comes before any round


def counted(before: Snapshot, after: Snapshot, repository: Repository) -> None:
    found = changed_between(before, after, repository)
    if found is None or found.lines != EDITED:
        raise SystemExit(f"expected {EDITED} changed lines, and {found} was found: the figures mean nothing")


def built(project: Path, count: int) -> Path:
    """A committed project, its files old enough that none of them could have changed within the same instant."""
    an_hour_ago = time.time() - 3600
    for number in range(count):
        place = path_of(project, number)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("".join(f"line {line} of file {number}\n" for line in range(20)))
        os.utime(place, (an_hour_ago, an_hour_ago))
    git(project, "init", "-q")
    git(project, "add", "-A")
    git(project, "-c", "user.name=bench", "-c", "user.email=bench", "commit", "-q", "-m", "everything")
    git(project, "gc", "-q")  # a project that is worked on has its history in packs
    return project


def path_of(project: Path, number: int) -> Path:
    return project / "src" / f"package{number % 20}" / f"module{number % 200}" / f"file{number}.py"


def edit(project: Path, number: int) -> None:
    for file in range(EDITED):
        with path_of(project, file).open("a") as place:
            place.write(f"round {number}\n")


def git(project: Path, *arguments: str, **environment: str) -> None:
    subprocess.run(
        ["git", "-c", "gc.auto=0", *arguments],
        cwd=project,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        check=True,
    )


def timed(action: Callable[[], T]) -> tuple[T, Cost]:
    start = Cost.so_far()
    answer = action()
    return answer, Cost.so_far().since(start)


if __name__ == "__main__":
    main()
