"""How much more often runs fail in which something is found, against other runs of the same agent and model.

    python bench/lift.py RUNS.jsonl.gz [MORE.jsonl.gz ...] [--markdown docs/accuracy.md]

For each detector (findings of medium severity and above) and each finding of the end of a turn: the share of runs that
failed among those it was found in, the share one would expect from the agents and models of these runs, and the lift,
which is the first divided by the second. Where nearly all runs fail, no lift can be high. Intervals are 95 %
bootstrap intervals over tasks.
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from accuracy import Run, packed
from page_part import put

from headway.core.finding import Severity
from headway.monitor import Monitor
from headway.study.last_words import LastWords

DRAWS = 500
TITLE = "## Do runs fail more often in which something is found?"
INTRODUCTION = """For each detector, and for what is said at the end of a turn: how many of the runs failed in which it
was found (with medium severity or more), how many would be expected from the agents and models of these runs, and the
*lift*, the first divided by the second (`bench/lift.py`). Where nearly all runs fail, no lift can be high. Detectors
that show no lift in both tables together are recorded and not said: `policy.only_recorded` names them."""
CODE = ("openhands_thinkingagent", "sweagent_java", "claude_code_tb", "mini_gemini3_verified", "tb_mini_sonnet4")
"""Sets in which the work is code, so that the end of a turn can be judged."""


def found_in(run: Run) -> set[str]:
    """What is found in a run, and at its end."""
    monitor, words, found = Monitor(model=run.model or None), LastWords(), set()
    for event in run.events:
        outcome = monitor.feed(event)
        found |= {one.detector for one in outcome.findings if one.severity.rank >= Severity.MEDIUM.rank}
        words.take(event, monitor.session)
    untold = words.finding(monitor.session) if run.dataset in CODE else None
    return found | ({f"end of turn: {untold.detector}"} if untold else set())


Seen = tuple[str, bool, float]
"""Task, whether it failed, and how many of its agent and model fail."""


def lift(seen: Sequence[Seen]) -> float:
    """How much more often it failed than expected."""
    expected = sum(base for _, _, base in seen)
    return sum(failed for _, failed, _ in seen) / expected if expected else 0.0


def interval(seen: Sequence[Seen]) -> tuple[float, float]:
    """Of the lift, drawing whole tasks."""
    tasks, draw = defaultdict(list), random.Random(0)
    for one in seen:
        tasks[one[0]].append(one)
    groups = list(tasks.values())
    drawn = (draw.choices(groups, k=len(groups)) for _ in range(DRAWS))
    values = sorted(lift([one for group in groups for one in group]) for groups in drawn)
    return values[int(0.025 * DRAWS)], values[int(0.975 * DRAWS)]


def table(runs: Sequence[Run]) -> Iterator[str]:
    """One line for each, as Markdown."""
    configs, seen = defaultdict(list), defaultdict(list)
    for run in runs:
        configs[run.agent, run.model].append(not run.solved)
    for run in runs:
        failing = configs[run.agent, run.model]
        for what in found_in(run):
            seen[what].append((run.task, not run.solved, sum(failing) / len(failing)))
    yield "| found | runs | of these failed | expected | lift | [95 %] |"
    yield "|---|---|---|---|---|---|"
    for what, of in sorted(seen.items(), key=lambda item: -lift(item[1])):
        low, high = interval(of)
        failed, base = sum(one[1] for one in of) / len(of), sum(one[2] for one in of) / len(of)
        yield f"| {what} | {len(of)} | {failed:.0%} | {base:.0%} | {lift(of):.2f} | {low:.2f}–{high:.2f} |"


def main() -> None:
    """Print a table for each pack."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--markdown", type=Path, help="put the tables into this page")
    given = parser.parse_args()
    parts = [INTRODUCTION]
    for path in given.runs:
        runs = list(packed(path))
        with_solves = {run.dataset for run in runs if run.solved}
        ended = [run for run in runs if run.solved is not None and run.dataset in with_solves]
        parts += ["", f"`{path.name.partition('.')[0]}`, {len(ended):,} runs:", "", *table(ended)]
    text = "\n".join(parts)
    print(text)
    if given.markdown:
        put(given.markdown, TITLE, text, before="## Where it is still wrong")


if __name__ == "__main__":
    main()
