"""Tries settings on recorded runs: each rule alone, all together, and for each agent and model that is left out.

    python bench/trials.py RUNS.jsonl.gz [MORE.jsonl.gz ...]
        [--rules]                          the rules of trials.toml: each alone, all, all but each; and what was tried
        [--choose]                         the thresholds of trials.toml, each chosen without the runs it is shown on
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
from functools import cache, partial
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
from headway.detectors import built_in
from headway.monitor import Monitor
from headway.rolling.normalise import digest
from headway.study.judged import ENDS

STRONG = (0.25, 10)
"""A model with an agent is strong when it solves this share, and at least so many."""
RUNS: list[Run] = []
"""What was read, for the processes that are forked."""
TABLE = Path(__file__).with_suffix(".toml")
PARTS = 8
"""Shares of the runs that the processes take one after the other."""
MOST_PASSES = 3
"""How often all thresholds are gone through, at most, when they are chosen."""
TITLE = "## Each rule, alone and together"
INTRODUCTION = """Printed by `bench/trials.py --rules`. *Stopped* are solved runs that were stopped before their end,
*saved* is the share of the failed runs' steps after the stop, *alarms* are runs with a nudge or a stop. The *worst
fold* is what a figure becomes when one agent with its model is left out, the one without which it is worst. *Stuck* are
the runs that OpenHands itself ended as stuck, beside its others."""


CHOOSING_TITLE = "## Thresholds chosen without the runs they are shown on"
CHOOSING = """Printed by `bench/trials.py --choose`. The thresholds of the rules above are chosen by one procedure. For
each agent with its model, that one is left out, and the thresholds are chosen on all others of its pack; of the strong
runs, one half of the tasks is left out and the choice is made on the other. Every threshold starts at its most cautious
value. One after the other gets the value that stops the fewest solved runs, then the one that fires in the fewest
solved runs, then the one that saves most, then the one that fires in most failed runs; among equals the most cautious
wins. This is repeated until nothing changes.
No limit and no figure over all runs takes part in it. A fold in which all values of a threshold give the same figures
has no vote on it. Shipped is what most folds choose, except for three. `idle_calls.limit` stays at 3: two commands that
do nothing are no pattern, on `runs` the votes for 2 rest on one failed run, and one of the strong halves chooses 3.
`error_run.most` stays at 11: on `runs` 13, 12 and 11 do equally well, and the vote for 13 only says that it is the most
cautious of them. `session.wait_pace` stays at 3: 4 saves little more, and takes fewer pauses for waiting. The procedure
was itself settled after an earlier one had been tried on these runs, and the read that starts `varied_failures` again
was found by reading one of them, so these figures are cleaner than those over all runs, but not untouched."""
OLDER = """The older thresholds were chosen earlier, on these runs, and stay unchanged. This is what the same procedure
chooses for each of them alone, with all others as shipped, shown on the runs that were left out. Where it is worse, the
only solved run that shows why a value is too strict is in the fold that was left out."""


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


Replay = Callable[[Sequence[str]], list[Replayed]]
"""Replays runs with changed settings."""
Where = Callable[[Replayed], bool]


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
    parser.add_argument("--choose", action="store_true")
    parser.add_argument("--markdown", type=Path)
    parser.add_argument("--try", nargs="+", action="append", default=[], dest="tried", metavar=("NAME", "KEY=VALUE"))
    parser.add_argument("--said", action="store_true")
    given = parser.parse_args()
    for path in given.runs:
        RUNS.extend(run for run in packed(path) if run.solved is not None or run.single)
    with_solves = {run.dataset for run in RUNS if run.solved}
    RUNS[:] = [run for run in RUNS if run.dataset in with_solves]
    with ProcessPoolExecutor(2, mp_context=get_context("fork"), initializer=os.nice, initargs=(5,)) as pool:
        replay = _replaying(pool, range(len(RUNS)))
        for name, changes in {"as it is": [], **{name: changes for name, *changes in given.tried}}.items():
            print_trial(name, replay(changes), given)
        table = tomllib.loads(TABLE.read_text("utf-8"))
        if given.rules or given.choose:
            replay = _of_those_that_differ(replay, partial(_replaying, pool), table)
        if given.rules:
            _show("\n".join(rules_page(replay, table)), TITLE, given.markdown)
        if given.choose:
            _show("\n".join(chosen_page(replay, table)), CHOOSING_TITLE, given.markdown)


def _of_those_that_differ(
    replay_all: Replay, replaying: Callable[[Sequence[int]], Replay], table: Mapping[str, Any]
) -> Replay:
    """Replays only the runs in which the boldest of all settings says anything: the others are silent with any."""
    bold = [f"{one['key']}={one['values'][-1]:g}" for one in (*table["threshold"], *table["older"])]
    strictest = replay_all([*bold, *(change for rule in table["rule"] if rule.get("tames") for change in rule["off"])])
    numbers = [number for number, run in enumerate(strictest) if run.alarmed]
    some = replaying(numbers)

    def replay(changes: Sequence[str]) -> list[Replayed]:
        again = dict(zip(numbers, some(changes), strict=True))
        return [again.get(number, run) for number, run in enumerate(strictest)]

    return replay


def _show(text: str, title: str, page: Path | None) -> None:
    print(f"\n{text}")
    if page:
        put(page, title, text, before="## Do runs with findings fail more often?")


def _replaying(pool: ProcessPoolExecutor, numbers: Sequence[int]) -> Replay:
    """Replays these runs, with the same settings only once."""
    once = cache(partial(_replay_all, pool, numbers))
    return lambda changes: once(tuple(changes))


def _replay_all(pool: ProcessPoolExecutor, numbers: Sequence[int], changes: tuple[str, ...]) -> list[Replayed]:
    settings = find_settings(list(changes), Path("/"), {}).settings
    jobs: list[Any] = [pool.submit(_share, numbers[start::PARTS], settings) for start in range(PARTS)]
    found: list[Any] = [None] * len(numbers)
    for start, job in enumerate(jobs):
        found[start::PARTS] = job.result()
    return found


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
    yield from ("### Tried and rejected", "")
    for pack in dict.fromkeys(run.pack for run in together):
        yield from (f"`{pack}`:", "", *_table(pack, others.items()), "")
    yield from (f"- {one['words']}: {one['left']}." for one in tried)


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


# Thresholds, each chosen without the runs that it is then shown on


class Threshold(msgspec.Struct, frozen=True):
    """A threshold and the values it may have, from the most to the least cautious."""

    key: str
    values: tuple[float, ...]

    @property
    def shipped(self) -> float:
        """The value that Headway has."""
        *place, field = self.key.split(".")
        owner = built_in()[place[1]]() if place[0] == "detectors" else getattr(Settings(), place[0])
        return float(getattr(owner, field))


class Choice(msgspec.Struct, frozen=True):
    """What was chosen on some runs: a value for each threshold, and where another value makes a difference."""

    values: dict[str, float]
    decided: frozenset[str]

    @property
    def changes(self) -> list[str]:
        """The choice as settings."""
        return [f"{key}={value:g}" for key, value in self.values.items()]


class Fold(msgspec.Struct, frozen=True):
    """Runs that were left out, and what was chosen without them."""

    name: str
    choice: Choice
    shown: list[Replayed]


def chosen(replay: Replay, thresholds: Sequence[Threshold], where: Where) -> Choice:
    """Choose on some runs, one threshold after the other, from the most cautious values until nothing changes.

    The value wins that stops the fewest solved runs, then the one that fires in the fewest, then the one that saves
    most, then the one that fires in most failed runs, and among equals the most cautious.
    """
    values = {one.key: one.values[0] for one in thresholds}
    decided: set[str] = set()
    for _ in range(MOST_PASSES):
        before = dict(values)
        decided.clear()
        for one in thresholds:
            costs = {}
            for value in one.values:
                tried = Choice({**values, one.key: value}, frozenset())
                costs[value] = _cost(filter(where, replay(tried.changes)))
            values[one.key] = min(one.values, key=lambda value: costs[value])  # the first of equals
            decided |= {one.key} if len(set(costs.values())) > 1 else set()
        if values == before:
            break
    return Choice(values, frozenset(decided))


def _cost(runs: Iterable[Replayed]) -> tuple[int, int, int, int]:
    runs = list(runs)
    failed = [run for run in runs if run.solved is False]
    saved = sum(run.steps - run.stopped for run in failed if run.stopped is not None)
    spoken = sum(run.alarmed for run in failed)
    return sum(run.killed for run in runs), sum(run.alarmed for run in runs if run.solved), -saved, -spoken


def folds_of(replay: Replay, thresholds: Sequence[Threshold], pack: str, parts: Mapping[str, Where]) -> list[Fold]:
    """For each part of a pack, what is chosen on the other parts, and what that does on this one."""
    found = []
    for name, is_in in parts.items():
        choice = chosen(replay, thresholds, partial(_is_outside, pack, is_in))
        found.append(Fold(name, choice, [run for run in replay(choice.changes) if run.pack == pack and is_in(run)]))
    return found


def chosen_page(replay: Replay, table: Mapping[str, Any]) -> Iterator[str]:
    """The part of the page about how thresholds are chosen, as Markdown."""
    thresholds, older = (msgspec.convert(table[name], list[Threshold]) for name in ("threshold", "older"))
    parts = _parts(replay([]))
    found = {pack: folds_of(replay, thresholds, pack, of) for pack, of in parts.items()}
    yield from (CHOOSING, "", *_votes(thresholds, [fold for one in found.values() for fold in one]), "")
    for pack, one in found.items():
        yield from (f"`{pack}`:", "", *_held_out(thresholds, one), "")
    yield from (OLDER, "")
    for pack, of in parts.items():
        yield from (f"`{pack}`:", "", *_older(older, replay, pack, of), "")


def _older(older: Sequence[Threshold], replay: Replay, pack: str, parts: Mapping[str, Where]) -> Iterator[str]:
    """Each older threshold chosen by itself, the others as they are."""
    head = ["threshold", "values", "chosen by so many folds", "shipped"]
    head += ["stopped", "saved", "alarms, solved", "alarms, failed"]
    yield f"| {' | '.join(head)} |\n|{'---|' * len(head)}"
    for one in older:
        found = folds_of(replay, [one], pack, parts)
        votes = Counter(fold.choice.values[one.key] for fold in found)
        counts = ", ".join(f"{value:g}: {votes[value]}×" for value in one.values if votes[value])
        values = ", ".join(f"{value:g}" for value in one.values)
        shown = counted(run for fold in found for run in fold.shown)
        yield f"| `{one.key}` | {values} | {counts} | {one.shipped:g} | {_figures(shown)} |"


def _parts(runs: Sequence[Replayed]) -> dict[str, dict[str, Where]]:
    """What is left out in turn: of the first pack each agent with its model, of the others each half of the tasks."""
    first, *others = dict.fromkeys(run.pack for run in runs)
    configs = sorted({run.config for run in runs if run.pack == first})
    parts: dict[str, dict[str, Where]] = {first: {", ".join(config): partial(_is_of, config) for config in configs}}
    return parts | {pack: {f"half {'AB'[half]}": partial(_is_in_half, half) for half in (0, 1)} for pack in others}


def _votes(thresholds: Sequence[Threshold], found: Sequence[Fold]) -> Iterator[str]:
    head = ["threshold", "values", "chosen by so many folds", "no difference", "most folds", "shipped"]
    yield f"| {' | '.join(head)} |\n|{'---|' * len(head)}"
    for one in thresholds:
        votes = Counter(fold.choice.values[one.key] for fold in found if one.key in fold.choice.decided)
        most = max(one.values, key=lambda value: votes[value])  # the first of equals: the most cautious
        counts = ", ".join(f"{value:g}: {votes[value]}×" for value in one.values if votes[value])
        values = ", ".join(f"{value:g}" for value in one.values)
        rest = len(found) - votes.total()
        yield f"| `{one.key}` | {values} | {counts} | {rest}× | {most:g} | {one.shipped:g} |"


def _held_out(thresholds: Sequence[Threshold], found: Sequence[Fold]) -> Iterator[str]:
    """The figures of each part under what was chosen without it, the worst first, and of all of them together."""
    head = [
        "left out",
        "chosen without it, where not as shipped",
        "stopped",
        "saved",
        "alarms, solved",
        "alarms, failed",
    ]
    yield f"| {' | '.join(head)} |\n|{'---|' * len(head)}"
    for fold in sorted(found, key=lambda fold: (-counted(fold.shown).killed, -counted(fold.shown).alarms_solved)):
        values = fold.choice.values
        other = [f"`{one.key}` {values[one.key]:g}" for one in thresholds if values[one.key] != one.shipped]
        yield f"| {fold.name} | {', '.join(other)} | {_figures(counted(fold.shown))} |"
    together = [run for fold in found for run in fold.shown]
    yield f"| **all, each with the choice made without it** | | {_figures(counted(together))} |"


def _is_outside(pack: str, is_in: Where, run: Replayed) -> bool:
    return run.pack == pack and not is_in(run)


def _is_of(config: tuple[str, str], run: Replayed) -> bool:
    return run.config == config


def _is_in_half(half: int, run: Replayed) -> bool:
    return digest(run.task) % 2 == half


if __name__ == "__main__":
    main()
