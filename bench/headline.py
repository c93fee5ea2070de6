"""The figures that count most: work lost, steps saved, and alarms, for strong and for loop-prone models, with rivals.

    python bench/headline.py RUNS.jsonl.gz [MORE.jsonl.gz ...] [--markdown docs/accuracy.md]

A replay cannot show what a nudge would have changed. So compliance is assumed: with probability p the agent follows a
nudge and goes straight to its next change or news. The steps in between are left out.
With p = 0 nothing follows from a nudge. A solved run has lost work when it is stopped before its last successful
change, or before its end where it changed nothing.
"""

import argparse
import os
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import msgspec
from accuracy import Run, make, packed
from page_part import put
from peers import PEERS

from headway.core.events import Event
from headway.monitor import Monitor

COMPLIANCE = (0.0, 0.5, 0.75)
DRAWS = 1_000
STRONG = (0.25, 10)
"""A model with an agent is strong when it solves this share, and at least so many runs."""
RUNS: list[Run] = []
TELLING: list[tuple[int, list[int]]] = []
"""For each run, the step of its last successful change, and all steps that changed or showed something new."""


TITLE = "## What counts most"
INTRODUCTION = """{runs:,} recorded runs with a known outcome, of {configs} agents with their models
(`bench/headline.py`). A solved run *lost work* when it was stopped before its last successful change, or before its end
where it changed nothing. *Saved* is the share of the failed runs' steps that were never made. A replay cannot show what
a nudge would have changed, so compliance is an assumption: with probability *p* the agent follows a nudge, and then
goes straight to its next change or news. With *p* = 0 only stops save anything. Strong models are those that solve at
least a quarter of their runs, and at least ten.

The rules were made with these runs, and the mode is `enforce`, so expect lower figures: on 4,863 runs that the rules
were not made with, the version before this one stopped 2.5 % of the solved runs and saved 9.2 % of the failed runs'
steps. In the mode `nudge`, which hooks have by default, no run is stopped except at limits that you set."""


class LoopState(msgspec.Struct, frozen=True):
    """What became of one run under one watcher, with one compliance. Steps are counted from 1."""

    task: str
    config: tuple[str, str]
    solved: bool
    steps: int
    last_change: int
    spent: int
    stopped: int | None = None
    alarmed: bool = False

    @property
    def lost(self) -> bool:
        """Solved, and stopped before its last successful change."""
        return self.solved and self.stopped is not None and self.stopped < self.last_change


def telling(run: Run) -> tuple[int, list[int]]:
    """The step of its last successful change, and all steps that changed or showed something new."""
    monitor, last, news = Monitor(model=run.model or None), 0, []
    for step, event in zip(run.steps, run.events, strict=True):
        before = monitor.session.step_count
        monitor.feed(event)
        if monitor.session.step_count > before:
            made = monitor.session.steps[-1]
            if made.changed or (made.meaning.may_change_anything and not made.failed):
                last = step
            if made.changed or made.news:
                news.append(step)
    answers = run.dataset == "tau_bench"  # there the final message itself is graded
    return (run.steps[-1] if answers or not last else last), news


def state(number: int, name: str, heed: float) -> LoopState:
    """Replay a run; a heeded nudge skips to the next change or news."""
    run, (last_change, news) = RUNS[number], TELLING[number]
    watch, draw = make(name, run), random.Random(f"{run.run} {heed}")
    spent, alarmed, skip_to = set(), False, 0
    for step, event in zip(run.steps, run.events, strict=True):
        if step < skip_to:
            continue
        spent.add(step)
        word = _said(watch, event)
        alarmed = alarmed or bool(word)
        if word == "stop":
            return _state(run, last_change, len(spent), step, alarmed)
        if word and draw.random() < heed:
            skip_to = next((one for one in news if one > step), run.steps[-1] + 1)
    return _state(run, last_change, len(spent), None, alarmed)


def _said(watch: Callable[[Event], tuple[str, str, str]], event: Event) -> str:
    return watch(event)[0]


def _state(run: Run, last_change: int, spent: int, stopped: int | None, alarmed: bool) -> LoopState:
    steps = len(set(run.steps))
    return LoopState(run.task, (run.agent, run.model), bool(run.solved), steps, last_change, spent, stopped, alarmed)


def courses(numbers: Sequence[int], name: str, heed: float) -> list[LoopState]:
    """A share of the runs."""
    return [state(number, name, heed) for number in numbers]


def tellings(numbers: Sequence[int]) -> list[tuple[int, list[int]]]:
    """What each of some runs tells."""
    return [telling(RUNS[number]) for number in numbers]


def saved(runs: Iterable[LoopState]) -> float:
    """The share of the failed runs' steps that were not spent."""
    failed = [run for run in runs if not run.solved]
    whole = sum(run.steps for run in failed)
    return sum(run.steps - run.spent for run in failed) / whole if whole else 0.0


def lost(runs: Iterable[LoopState]) -> float:
    """The share of the solved runs that lost work."""
    solved = [run for run in runs if run.solved]
    return sum(run.lost for run in solved) / len(solved) if solved else 0.0


def span(runs: Sequence[LoopState], figure: Callable[[Iterable[LoopState]], float]) -> str:
    """A 95 % interval, drawing whole tasks."""
    tasks, draw = defaultdict(list), random.Random(0)
    for run in runs:
        tasks[run.task].append(run)
    groups = list(tasks.values())
    drawn = (draw.choices(groups, k=len(groups)) for _ in range(DRAWS))
    values = sorted(figure([run for group in groups for run in group]) for groups in drawn)
    return f"{100 * values[int(0.025 * DRAWS)]:.1f}–{100 * values[int(0.975 * DRAWS)]:.1f}"


HEAD = (
    "watcher", "solved runs that lost work", "[95 %]", "saved, p = 0", "[95 %]", "p = 0.5", "p = 0.75",
    "steps saved for each solved run lost", "alarms, solved", "alarms, failed",
)  # fmt: skip


def row(name: str, by_heed: dict[float, list[LoopState]]) -> list[str]:
    """One line of a table."""
    runs = by_heed[0.0]
    solved, failed = [r for r in runs if r.solved], [r for r in runs if not r.solved]
    gone, spared = sum(run.lost for run in solved), sum(run.steps - run.spent for run in failed)
    return [
        name, f"{gone} of {len(solved)}", span(runs, lost), f"{saved(runs):.1%}", span(runs, saved),
        *(f"{saved(by_heed[heed]):.1%}" for heed in COMPLIANCE[1:]),
        f"{spared / gone:,.0f}" if gone else f"{spared:,}, none lost",
        *(f"{sum(run.alarmed for run in of) / max(1, len(of)):.1%}" for of in (solved, failed)),
    ]  # fmt: skip


def groups(runs: Sequence[LoopState]) -> dict[str, set[tuple[str, str]]]:
    """Strong models, and the others, which loop more than they solve."""
    found: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for run in runs:
        found[run.config].append(run.solved)
    share, least = STRONG
    strong = {config for config, solved in found.items() if sum(solved) >= max(least, share * len(solved))}
    return {"all": set(found), "strong models": strong, "loop-prone models": set(found) - strong}


def _two_processes() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(2, mp_context=get_context("fork"), initializer=os.nice, initargs=(5,))


def main() -> None:
    """Replay, count, print tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--markdown", type=Path, help="put the tables into this page")
    given = parser.parse_args()
    for path in given.runs:
        RUNS.extend(run for run in packed(path) if run.solved is not None)
    with_solves = {run.dataset for run in RUNS if run.solved}
    RUNS[:] = [run for run in RUNS if run.dataset in with_solves]
    with _two_processes() as pool:
        quarter = len(RUNS) // 4 + 1
        shares = [range(start, min(start + quarter, len(RUNS))) for start in range(0, len(RUNS), quarter)]
        TELLING.extend(one for told in pool.map(tellings, shares) for one in told)
    with _two_processes() as pool:  # forked anew, so that they know it
        jobs = {
            (name, heed): [pool.submit(courses, share, name, heed) for share in shares]
            for name in ("Headway", *PEERS)
            for heed in COMPLIANCE
        }
        found = {key: [one for job in of for one in job.result()] for key, of in jobs.items()}
    text = "\n".join(lines(found))
    print(text)
    if given.markdown:
        put(given.markdown, TITLE, text, before="## Method")


def lines(found: dict[tuple[str, float], list[LoopState]]) -> Iterator[str]:
    """The part of the page."""
    ours = found["Headway", 0.0]
    yield INTRODUCTION.format(runs=len(ours), configs=len({run.config for run in ours}))
    for group, configs in groups(ours).items():
        yield f"\n### {group.capitalize()}\n\n| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}"
        for name in ("Headway", *PEERS):
            of = {heed: [run for run in found[name, heed] if run.config in configs] for heed in COMPLIANCE}
            yield f"| {' | '.join(row(name, of))} |"


if __name__ == "__main__":
    main()
