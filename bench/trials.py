"""Tries settings on recorded runs: each rule alone, all together, and for each agent and model that is left out.

    python bench/trials.py RUNS.jsonl.gz [MORE.jsonl.gz ...]
        [--rules]                          the rules of trials.toml: each alone, all, all but each; and what was tried
        [--markdown docs/accuracy.md]      put these tables into the page
        [--try NAME KEY=VALUE ...]...      a change of settings, such as --try F detectors.known_answer.limit=4
        [--said]                           which detector spoke or stopped how often, in solved and in failed runs

Every run is read once and replayed with each of the settings, by two processes. Steps are counted as they are
recorded. The tasks of a pack are halved by their names, so that what is chosen on one half can be shown on the other.
"""

import argparse
import os
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec
from accuracy import STUCK, Run, packed
from page_part import put

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
TABLE = Path(__file__).with_suffix(".toml")
MOST_STOPPED, MOST_ALARMED = 0.007, 0.04
"""Shares of the solved runs that may be stopped, and that may see an alarm, by settings that are chosen."""
TITLE = "## Each rule, alone and together"
INTRODUCTION = """Printed by `bench/trials.py --rules`. *Stopped* are solved runs that were stopped before their end,
*saved* is the share of the failed runs' steps after the stop, *alarms* are runs in which anything was said. The *worst
fold* is what a figure becomes when one agent with its model is left out, the one without which it is worst. *Stuck* are
the runs that OpenHands itself ended as stuck, beside its others."""


class Replayed(msgspec.Struct, frozen=True):
    """What happened to one run: the step of each decision, counted from 1."""

    pack: str
    task: str
    config: tuple[str, str]
    solved: bool | None
    steps: int
    stuck: bool | None = None
    """Whether OpenHands ended it as stuck; None if it did not judge this run."""
    nudged: tuple[tuple[int, str], ...] = ()
    stopped: int | None = None
    reason: str = ""

    @property
    def killed(self) -> bool:
        """Solved, and stopped before its end."""
        return bool(self.solved) and self.stopped is not None and self.stopped < self.steps

    @property
    def alarmed(self) -> bool:
        """Something was said in it."""
        return bool(self.nudged or self.stopped)


def replayed(number: int, settings: Settings) -> Replayed:
    """Replay one run up to its first stop."""
    run = RUNS[number]
    monitor = Monitor(model=run.model or None, settings=settings)
    nudged: list[tuple[int, str]] = []
    for step, event in _by_step(run):
        decision = monitor.feed(event).decision
        if decision.action in ENDS:
            return _of(run, tuple(nudged), step, decision.reason)
        if decision.action is not Action.CONTINUE:
            nudged.append((step, decision.reason))
    return _of(run, tuple(nudged))


def _of(run: Run, nudged: tuple[tuple[int, str], ...], stopped: int | None = None, reason: str = "") -> Replayed:
    is_stuck = any(STUCK in label for label in run.labels) if run.single else None
    config = (run.agent, run.model)
    return Replayed(run.pack, run.task, config, run.solved, run.steps[-1], is_stuck, nudged, stopped, reason)


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
    """Count the runs whose outcome is known."""
    runs = list(runs)
    solved, failed = [r for r in runs if r.solved], [r for r in runs if r.solved is False]
    stopped = [r for r in (*solved, *failed) if r.stopped is not None]
    return Counted(
        len(solved), sum(r.killed for r in solved),
        _part(sum(r.steps - r.stopped for r in failed if r.stopped is not None), sum(r.steps for r in failed)),
        _part(sum(r.alarmed for r in solved), len(solved)),
        _part(sum(r.alarmed for r in failed), len(failed)),
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
        found[f"{pack} half A"], found[f"{pack} half B"] = halves(of)
    return found


def halves(runs: Iterable[Replayed]) -> tuple[list[Replayed], list[Replayed]]:
    """The runs of one half of the tasks, and those of the other."""
    found: tuple[list[Replayed], list[Replayed]] = ([], [])
    for run in runs:
        found[digest(run.task) % 2].append(run)
    return found


def strong_configs(runs: Iterable[Replayed]) -> set[tuple[str, str]]:
    """Agents with models that solve enough: where a false stop costs most."""
    count: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for run in runs:
        if run.solved is not None:
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


def folds(runs: Sequence[Replayed]) -> dict[tuple[str, str], Counted]:
    """The figures without each agent with its model."""
    configs = sorted({run.config for run in runs})
    return {config: counted(run for run in runs if run.config != config) for config in configs}


def fold_lines(runs: Sequence[Replayed]) -> Iterator[str]:
    """The worst that each figure becomes when one agent with its model is left out."""
    without = folds(runs)
    for what, key in WORST:
        config = min(without, key=lambda config: key(without[config]))
        yield f"    {what:24s} {without[config]}   without {config[1][:40]}"


def print_said(runs: Sequence[Replayed]) -> None:
    """Who spoke, and who stopped."""
    said: Counter[tuple[str, str, bool | None]] = Counter()
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
    parser.add_argument("--rules", action="store_true")
    parser.add_argument("--markdown", type=Path)
    parser.add_argument("--try", nargs="+", action="append", default=[], dest="tried", metavar=("NAME", "KEY=VALUE"))
    parser.add_argument("--said", action="store_true")
    given = parser.parse_args()
    for path in given.runs:
        RUNS.extend(run for run in packed(path) if run.solved is not None or run.single)
    with_solves = {run.dataset for run in RUNS if run.solved}
    RUNS[:] = [run for run in RUNS if run.dataset in with_solves]
    with ProcessPoolExecutor(2, mp_context=get_context("fork"), initializer=os.nice, initargs=(5,)) as pool:
        replay = partial(_replay_all, pool)
        for name, changes in {"as it is": [], **{name: changes for name, *changes in given.tried}}.items():
            print_trial(name, replay(changes), given)
        if given.rules:
            text = "\n".join(rules_page(replay, tomllib.loads(TABLE.read_text("utf-8"))))
            print(f"\n{text}")
            if given.markdown:
                put(given.markdown, TITLE, text, before="## Do runs fail more often in which something is found?")


def _replay_all(pool: ProcessPoolExecutor, changes: Sequence[str]) -> list[Replayed]:
    settings = find_settings(list(changes), Path("/"), {}).settings
    parts = [range(start, len(RUNS), 8) for start in range(8)]
    jobs: list[Any] = [pool.submit(_share, part, settings) for part in parts]
    return [one for job in jobs for one in job.result()]


def print_trial(name: str, runs: Sequence[Replayed], given: argparse.Namespace) -> None:
    """All that is known of one trial."""
    print(f"\n{name:36s} {HEAD}")
    packs = {run.pack for run in runs}
    for group, of in groups(runs).items():
        print(f"  {group:34s} {counted(of)}", flush=True)
        for line in fold_lines(of) if group in packs else ():
            print(line)
        if given.said and group in packs:
            print_said(of)


# The rules, each alone and all together


def rules_page(replay: Callable[[Sequence[str]], list[Replayed]], table: Mapping[str, Any]) -> Iterator[str]:
    """The part of the page about rules, as Markdown."""
    rules, tried = table["rule"], table["tried"]
    off = {rule["name"]: rule["off"] for rule in rules}
    none = replay([change for changes in off.values() for change in changes])
    alone = {
        name: replay([change for other, changes in off.items() if other != name for change in changes]) for name in off
    }
    together, taken = replay([]), {name: replay(changes) for name, changes in off.items()}
    others = {one["words"]: replay(one["settings"]) for one in tried}
    for pack in dict.fromkeys(run.pack for run in together):
        rows = [("none of these rules", none)]
        rows += [(f"only {rule['name']}: {rule['words']}", alone[rule["name"]]) for rule in rules]
        rows += [("**all of them, as it is**", together)]
        rows += [(f"all but {rule['name']}", taken[rule["name"]]) for rule in rules]
        yield from (INTRODUCTION if pack == together[0].pack else "", "", f"`{pack}`:", "", *_table(pack, rows), "")
    yield from ("### Tried, and left", "")
    for pack in dict.fromkeys(run.pack for run in together):
        yield from (f"`{pack}`:", "", *_table(pack, others.items()), "")
    yield from (f"- {one['words']}: {one['left']}." for one in tried)
    yield from ("", "### Chosen without the runs that are shown", "", *_chosen({"as it is": together, **others}))


def _table(pack: str, rows: Iterable[tuple[str, Sequence[Replayed]]]) -> Iterator[str]:
    head = ["setting", "stopped", "saved", "alarms, solved", "alarms, failed", "worst fold: stopped", "saved"]
    rows = [(words, [run for run in runs if run.pack == pack]) for words, runs in rows]
    judged = any(run.stuck is not None for _, runs in rows for run in runs)
    head += ["alarms on the stuck / others"] if judged else ["saved, half A / B of the tasks"]
    yield f"| {' | '.join(head)} |\n|{'---|' * len(head)}"
    for words, runs in rows:
        last = _on_stuck(runs) if judged else " / ".join(f"{counted(half).saved:.1%}" for half in halves(runs))
        yield f"| {words} | {_figures(counted(runs))} | {_worst(runs)} | {last} |"


def _figures(of: Counted) -> str:
    return f"{of.killed} of {of.solved} | {of.saved:.1%} | {of.alarms_solved:.1%} | {of.alarms_failed:.1%}"


def _worst(runs: Sequence[Replayed]) -> str:
    without = folds(runs).values()
    most = max(without, key=lambda of: _part(of.killed, of.solved))
    return f"{most.killed} of {most.solved} | {min(of.saved for of in without):.1%}"


def _on_stuck(runs: Iterable[Replayed]) -> str:
    alarms = defaultdict(list)
    for run in runs:
        alarms[run.stuck].append(run.alarmed)
    return " / ".join(f"{_part(sum(alarms[stuck]), len(alarms[stuck])):.1%}" for stuck in (True, False))


def _chosen(settings: Mapping[str, Sequence[Replayed]]) -> Iterator[str]:
    """For each part that is left out, the setting that saves most on the rest within the limits, shown on that part."""
    first, *others = dict.fromkeys(run.pack for run in settings["as it is"])
    configs = sorted({run.config for run in settings["as it is"] if run.pack == first})
    left_out = [
        (_best(settings, partial(_is_elsewhere, first, config)), partial(_is_there, first, config))
        for config in configs
    ]
    shown = [run for name, there in left_out for run in settings[name] if there(run)]
    chosen = Counter(name for name, _ in left_out)
    yield (
        f"`{first}`: for each agent with its model, the setting that saves most on all *other* runs, with at most "
        f"{MOST_STOPPED:.1%} of the solved ones stopped and alarms on at most {MOST_ALARMED:.0%} (where none keeps to "
        "that, as it is), is applied to the one that was left out. Chosen were: "
        f"{', '.join(f'{name} ({count}×)' for name, count in chosen.most_common())}. On all that were left out: "
        f"{_in_words(counted(shown))}."
    )
    for pack, half in product(others, (0, 1)):
        name = _best(settings, partial(_is_in_half, pack, half))
        other = [run for run in settings[name] if _is_in_half(pack, 1 - half, run)]
        yield (
            f"\n`{pack}`: chosen on half {'AB'[half]} of the tasks: {name}. On half {'BA'[half]}: "
            f"{_in_words(counted(other))}."
        )


def _best(settings: Mapping[str, Sequence[Replayed]], where: Callable[[Replayed], bool]) -> str:
    figures = {name: counted(run for run in runs if where(run)) for name, runs in settings.items()}
    allowed = {
        name: of.saved
        for name, of in figures.items()
        if of.killed <= max(1, MOST_STOPPED * of.solved + 0.5) and of.alarms_solved <= MOST_ALARMED
    }
    return max(allowed, key=lambda name: allowed[name]) if allowed else "as it is"


def _is_elsewhere(pack: str, config: tuple[str, str], run: Replayed) -> bool:
    return run.pack == pack and run.config != config


def _is_there(pack: str, config: tuple[str, str], run: Replayed) -> bool:
    return run.pack == pack and run.config == config


def _is_in_half(pack: str, half: int, run: Replayed) -> bool:
    return run.pack == pack and digest(run.task) % 2 == half


def _in_words(of: Counted) -> str:
    return (
        f"{of.killed} of {of.solved} solved runs stopped, {of.saved:.1%} saved, "
        f"alarms on {of.alarms_solved:.1%} of the solved and {of.alarms_failed:.1%} of the failed"
    )


if __name__ == "__main__":
    main()
