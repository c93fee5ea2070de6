"""How much more often runs fail in which something is found, against other runs of the same agent and model.

    python bench/lift.py RUNS.jsonl.gz [MORE.jsonl.gz ...] [--markdown docs/accuracy.md] [--lengths]

For each detector (findings of medium severity and above): the share of runs that failed among those it was found in,
the share one would expect from the agents and models of these runs, and the lift, which is the first divided by the
second. Where nearly all runs fail, no lift can be high. Intervals are 95 % bootstrap intervals over tasks. With
`--ends`, every nudge at the end of a turn is printed with its run, for reading.

`--lengths` prints instead for how long it goes on what has no lift, in solved and in failed runs of all packs: that is
where the second threshold of a detector comes from (`Detector.worth_saying`).
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from accuracy import Run, packed
from page_part import put

from headway.core.events import TurnEnding
from headway.core.finding import Severity
from headway.detectors import built_in, load
from headway.monitor import Monitor
from headway.study.turn_ends import with_turn_ends

DRAWS = 500
TITLE = "## Do runs with findings fail more often?"
INTRODUCTION = """For each detector: how many of the runs with such a finding (of medium severity or more) failed, how
many would be expected to fail from the agents and models of these runs, and the *lift*, the first divided by the second
(`bench/lift.py`). Where nearly all runs fail, no lift can be high. Detectors that show no lift in both tables together
are only recorded: `policy.only_recorded` names them."""
TOGETHER = """What is said to an agent at the end of a turn, in all these runs together: such ends are so rare that no
lift can be measured. They are said because they are literally visible, with the words of both sides, and not because
runs with them fail more often."""


class Found(msgspec.Struct, frozen=True):
    """What is found in a run: by detectors, and what is said at the end of a turn."""

    detectors: frozenset[str]
    said: dict[str, str]
    """Reason and message."""


def found_in(run: Run) -> Found:
    """Replay a run and look at it."""
    monitor, found, said = Monitor(model=run.model or None), set(), {}
    for event in with_turn_ends(run.events):
        outcome = monitor.feed(event)
        if isinstance(event, TurnEnding):
            said |= {one.detector: one.message for one in outcome.findings}
        else:
            found |= {one.detector for one in outcome.findings if one.severity.rank >= Severity.MEDIUM.rank}
    return Found(frozenset(found), said)


class Seen(msgspec.Struct, frozen=True):
    """A run in which something was found."""

    task: str
    config: tuple[str, str]
    failed: bool
    base: float
    """How many runs of its agent and model fail."""


def lift(seen: Sequence[Seen]) -> float:
    """How much more often it failed than expected."""
    expected = sum(one.base for one in seen)
    return sum(one.failed for one in seen) / expected if expected else 0.0


def interval(seen: Sequence[Seen], of: Callable[[Seen], Hashable]) -> str:
    """Of the lift, drawing whole tasks, or whole agents with their models."""
    clusters, draw = defaultdict(list), random.Random(0)
    for one in seen:
        clusters[of(one)].append(one)
    groups = list(clusters.values())
    drawn = (draw.choices(groups, k=len(groups)) for _ in range(DRAWS))
    values = sorted(lift([one for group in groups for one in group]) for groups in drawn)
    return f"{values[int(0.025 * DRAWS)]:.2f}–{values[int(0.975 * DRAWS)]:.2f}"


LENGTHS = (4, 6, 8, 10, 12, 15, 16, 20, 25, 30, 40, 50)
RARE = 1 / 500
"""Fewer than this share of solved runs may reach a second threshold."""


def lasted_in(run: Run) -> dict[str, int]:
    """The greatest length of each detector that has a second threshold."""
    monitor, longest = Monitor(model=run.model or None), {}
    for event in run.events:
        for one in monitor.feed(event).findings:
            longest[one.detector] = max(longest.get(one.detector, 0), one.lasted)
    return longest


def lengths(runs: Sequence[Run]) -> Iterator[str]:
    """Per detector and length: how many runs reach it, and the share of the solved ones, also in the worst fold."""
    kinds = {name: load(name) for name in built_in() if load(name).worth_saying}
    shipped = {name: kind.worth_saying for name, kind in kinds.items()}
    for kind in kinds.values():
        kind.worth_saying = 2  # so that those are counted, too, that report nothing below it
    reached = [(run, lasted_in(run)) for run in runs if run.solved is not None]
    for name, least in shipped.items():
        yield f"\n{name}, told from {least} on; fewer than {RARE:.1%} of solved runs may reach it"
        for length in sorted({*LENGTHS, least}):
            of = [run for run, longest in reached if longest.get(name, 0) >= length]
            solved = [run for run in of if run.solved]
            yield f"  {length:3d}  solved {len(solved):4d}  failed {len(of) - len(solved):4d}  {_worst(solved, runs)}"


def _worst(reaching: Sequence[Run], runs: Sequence[Run]) -> str:
    """The share of all solved runs, and the greatest that it becomes when one agent with its model is left out."""
    solved = [run for run in runs if run.solved]
    folds = {}
    for config in {(run.agent, run.model) for run in solved}:
        rest = sum((run.agent, run.model) != config for run in solved)
        folds[config] = sum((run.agent, run.model) != config for run in reaching) / rest
    worst = max(folds, key=folds.__getitem__)
    return f"{len(reaching) / len(solved):.2%}, worst fold {folds[worst]:.2%}" + (
        f" without {worst[1]}" if reaching else ""
    )


Looked = Sequence[tuple[Run, Found]]


def seen_in(looked: Looked, names: Callable[[Found], Iterable[str]]) -> dict[str, list[Seen]]:
    """The runs in which each thing was found, most lift first."""
    configs, seen = defaultdict(list), defaultdict(list)
    for run, _ in looked:
        configs[run.agent, run.model].append(not run.solved)
    for run, found in looked:
        failing = configs[run.agent, run.model]
        for what in names(found):
            base = sum(failing) / len(failing)
            seen[what].append(Seen(run.task, (run.agent, run.model), not run.solved, base))
    return dict(sorted(seen.items(), key=lambda item: -lift(item[1])))


def table(looked: Looked) -> Iterator[str]:
    """One line for each detector, as Markdown."""
    yield "| found | runs | of these failed | expected | lift | [95 %] |"
    yield "|---|---|---|---|---|---|"
    for what, of in seen_in(looked, lambda f: f.detectors).items():
        yield f"| {what} | {_counted(of)} | {interval(of, lambda one: one.task)} |"


def end_of_turn(looked: Looked) -> Iterator[str]:
    """What is said at the end of a turn in all packs together."""
    yield "| end of turn | runs | solved | failed |"
    yield "|---|---|---|---|"
    said = sorted({reason for _, found in looked for reason in found.said})
    for reason in said:
        solved = [run.solved for run, found in looked if reason in found.said]
        yield f"| `{reason}` | {len(solved)} | {sum(map(bool, solved))} | {len(solved) - sum(map(bool, solved))} |"
    if not said:
        yield f"| none in {len(looked):,} runs | 0 | 0 | 0 |"


def ends(looked: Looked) -> Iterator[str]:
    """Each nudge at the end of a turn, with its run and the outcome."""
    for run, found in looked:
        for reason, message in found.said.items():
            yield f"{'solved' if run.solved else 'failed'} {run.dataset} {run.run} {reason}: {message}"


def _counted(of: Sequence[Seen]) -> str:
    failed, base = sum(one.failed for one in of) / len(of), sum(one.base for one in of) / len(of)
    return f"{len(of)} | {failed:.0%} | {base:.0%} | {lift(of):.2f}"


def main() -> None:
    """Print a table for each pack."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--ends", action="store_true", help="print each nudge at the end of a turn")
    parser.add_argument("--markdown", type=Path, help="put the tables into this page")
    parser.add_argument("--lengths", action="store_true")
    given = parser.parse_args()
    if given.lengths:
        print("\n".join(lengths([run for path in given.runs for run in packed(path)])))
        return
    parts, everything = [INTRODUCTION], []
    for path in given.runs:
        runs = list(packed(path))
        with_solves = {run.dataset for run in runs if run.solved}
        ended = [run for run in runs if run.solved is not None and run.dataset in with_solves]
        looked = [(run, found_in(run)) for run in ended]
        everything += looked
        parts += ["", f"`{path.name.partition('.')[0]}`, {len(ended):,} runs:", "", *table(looked)]
    parts += ["", "### The end of a turn", "", TOGETHER, "", *end_of_turn(everything)]
    text = "\n".join(parts)
    print("\n".join(ends(everything)) if given.ends else text)
    if given.markdown:
        put(given.markdown, TITLE, text, before="## Where it is still wrong")


if __name__ == "__main__":
    main()
