"""Tries settings on recorded runs: each alone, all together, and for each agent and model that is left out.

    python bench/trials.py RUNS.jsonl.gz [MORE.jsonl.gz ...]
        [--try NAME KEY=VALUE ...]...      a change of settings, such as --try F detectors.known_answer.limit=4
        [--together]                       also all of them at once
        [--folds]                          each figure without each agent and model in turn: the worst is shown
        [--said]                           which detector spoke or stopped how often, in solved and in failed runs

Every run is read once and replayed with each of the settings, by two processes. Steps are counted as they are
recorded. The tasks of a pack are halved by their names, so that what is chosen on one half can be shown on the other.
"""

import argparse
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec
from accuracy import Run, packed

from headway.config.find import find_settings
from headway.config.settings import Settings
from headway.core.decision import Action
from headway.core.events import Event
from headway.monitor import Monitor
from headway.rolling.digest import digest
from headway.study.judged import ENDS

STRONG = (0.25, 10)
"""A model with an agent is strong when it solves this share, and at least so many."""
RUNS: list[Run] = []
"""What was read, for the processes that are forked."""


class Replayed(msgspec.Struct, frozen=True):
    """What happened to one run: the step of each decision, counted from 1."""

    pack: str
    task: str
    config: tuple[str, str]
    solved: bool
    steps: int
    nudged: tuple[tuple[int, str], ...] = ()
    stopped: int | None = None
    reason: str = ""

    @property
    def killed(self) -> bool:
        """Solved, and stopped before its end."""
        return self.solved and self.stopped is not None and self.stopped < self.steps


def replayed(number: int, settings: Settings) -> Replayed:
    """Replay one run up to its first stop."""
    run = RUNS[number]
    monitor, nudged = Monitor(model=run.model or None, settings=settings), []
    for step, event in _by_step(run):
        decision = monitor.feed(event).decision
        if decision.action in ENDS:
            return _of(run, tuple(nudged), step, decision.reason)
        if decision.action is not Action.CONTINUE:
            nudged.append((step, decision.reason))
    return _of(run, tuple(nudged))


def _of(run: Run, nudged: tuple[tuple[int, str], ...], stopped: int | None = None, reason: str = "") -> Replayed:
    return Replayed(
        run.pack, run.task, (run.agent, run.model), bool(run.solved), run.steps[-1], nudged, stopped, reason
    )


def _by_step(run: Run) -> Iterable[tuple[int, Event]]:
    return zip(run.steps, run.events, strict=True)


def _share(numbers: Sequence[int], settings: Settings) -> list[Replayed]:
    return [replayed(number, settings) for number in numbers]


class Counted(msgspec.Struct, frozen=True):
    """The figures of some runs, as shares."""

    solved: int
    killed: int
    saved: float
    alarms_solved: float
    alarms_failed: float
    right: float

    def __str__(self) -> str:
        shares = (self.saved, self.alarms_solved, self.alarms_failed, self.right)
        return f"{self.killed:3d}/{self.solved:<4d}" + "".join(f"{100 * share:7.1f}" for share in shares)


HEAD = "stopped" + "".join(f"{name:>7s}" for name in ("  saved", "almS", "almF", "right"))


def counted(runs: Iterable[Replayed]) -> Counted:
    """Count."""
    runs = list(runs)
    solved, failed = [r for r in runs if r.solved], [r for r in runs if not r.solved]
    stopped = [r for r in runs if r.stopped is not None]
    return Counted(
        len(solved), sum(r.killed for r in solved),
        _part(sum(r.steps - r.stopped for r in failed if r.stopped is not None), sum(r.steps for r in failed)),
        _part(sum(bool(r.nudged or r.stopped) for r in solved), len(solved)),
        _part(sum(bool(r.nudged or r.stopped) for r in failed), len(failed)),
        _part(sum(not r.solved for r in stopped), len(stopped)),
    )  # fmt: skip


def _part(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def groups(runs: Sequence[Replayed]) -> dict[str, list[Replayed]]:
    """All runs of each pack, its strong models, and both halves of its tasks."""
    found = defaultdict(list)
    for run in runs:
        found[run.pack].append(run)
    for pack, of in list(found.items()):
        strong = strong_configs(of)
        found[f"{pack} strong"] = [run for run in of if run.config in strong]
        found[f"{pack} half A"] = [run for run in of if digest(run.task) % 2 == 0]
        found[f"{pack} half B"] = [run for run in of if digest(run.task) % 2 == 1]
    return found


def strong_configs(runs: Iterable[Replayed]) -> set[tuple[str, str]]:
    """Agents with models that solve enough: where a false stop costs most."""
    count: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for run in runs:
        count[run.config].append(run.solved)
    share, least = STRONG
    return {config for config, solved in count.items() if sum(solved) >= max(least, share * len(solved))}


WORST: tuple[tuple[str, Callable[[Counted], float]], ...] = (
    ("most stopped", lambda one: -_part(one.killed, one.solved)),
    ("least saved", lambda one: one.saved),
    ("fewest alarms on failed", lambda one: one.alarms_failed),
    ("most alarms on solved", lambda one: -one.alarms_solved),
    ("least right", lambda one: one.right),
)


def print_folds(runs: Sequence[Replayed]) -> None:
    """The worst that a figure becomes when one agent with its model is left out."""
    configs = sorted({run.config for run in runs})
    without = {config: counted(run for run in runs if run.config != config) for config in configs}
    for what, key in WORST:
        config = min(without, key=lambda config: key(without[config]))
        print(f"    {what:24s} {without[config]}   without {config[1][:40]}")


def print_said(runs: Sequence[Replayed]) -> None:
    """Who spoke, and who stopped."""
    said: Counter[tuple[str, str, bool]] = Counter()
    for run in runs:
        said.update(("said", reason, run.solved) for reason in {reason for _, reason in run.nudged})
        if run.stopped is not None:
            said["stopped", run.reason, run.solved] += 1
    for what, reason in sorted({key[:2] for key in said}):
        print(f"    {what:8s} {reason:24s} solved {said[what, reason, True]:4d}  failed {said[what, reason, False]:4d}")


def main() -> None:
    """Replay with each of the settings, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--try", nargs="+", action="append", default=[], dest="tried", metavar=("NAME", "KEY=VALUE"))
    parser.add_argument("--together", action="store_true")
    parser.add_argument("--folds", action="store_true")
    parser.add_argument("--said", action="store_true")
    given = parser.parse_args()
    for path in given.runs:
        RUNS.extend(run for run in packed(path) if run.solved is not None)
    with_solves = {run.dataset for run in RUNS if run.solved}
    RUNS[:] = [run for run in RUNS if run.dataset in with_solves]
    trials: dict[str, list[str]] = {"as it is": [], **{name: changes for name, *changes in given.tried}}
    if given.together:
        trials["together"] = [change for changes in trials.values() for change in changes]
    with ProcessPoolExecutor(2, mp_context=get_context("fork"), initializer=os.nice, initargs=(5,)) as pool:
        for name, changes in trials.items():
            print_trial(name, _replay_all(pool, find_settings(changes, Path("/"), {}).settings), given)


def _replay_all(pool: ProcessPoolExecutor, settings: Settings) -> list[Replayed]:
    parts = [range(start, len(RUNS), 8) for start in range(8)]
    jobs: list[Any] = [pool.submit(_share, part, settings) for part in parts]
    return [one for job in jobs for one in job.result()]


def print_trial(name: str, runs: Sequence[Replayed], given: argparse.Namespace) -> None:
    """All that is known of one trial."""
    print(f"\n{name:36s} {HEAD}")
    for group, of in groups(runs).items():
        print(f"  {group:34s} {counted(of)}", flush=True)
        if given.folds and group in {run.pack for run in runs}:
            print_folds(of)
        if given.said and group in {run.pack for run in runs}:
            print_said(of)


if __name__ == "__main__":
    main()
