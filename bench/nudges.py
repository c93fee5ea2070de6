"""Nudges drawn at random from recorded runs, to be read by hand: would a careful engineer have said this?

    python bench/nudges.py RUNS.jsonl.gz [MORE.jsonl.gz ...] [--count 50] [--seed 0]

Each line has the run, the step, the reason and the message. What reading made of the sample stands in
`nudges_by_hand.toml`, by run and step; with it, the script prints how many were judged worth saying.
"""

import argparse
import random
import tomllib
from pathlib import Path

from accuracy import Run, packed

from headway.core.decision import Action
from headway.monitor import Monitor
from headway.study.judged import ENDS

BY_HAND = Path(__file__).parent / "nudges_by_hand.toml"


def nudges(run: Run) -> list[tuple[str, int, str, str]]:
    """Run, step, reason and message of everything that is said before the first stop."""
    monitor, said = Monitor(model=run.model or None), []
    for step, event in zip(run.steps, run.events, strict=True):
        decision = monitor.feed(event).decision
        if decision.action in ENDS:
            break
        if decision.action is Action.NUDGE:
            said.append((run.run, step, decision.reason, decision.message))
    return said


def main() -> None:
    """Draw, print, and count what was judged."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    said = [one for path in given.runs for run in packed(path) for one in nudges(run)]
    drawn = sorted(random.Random(given.seed).sample(said, min(given.count, len(said))))
    judged = {(one["run"], one["step"]): one for one in tomllib.loads(BY_HAND.read_text("utf-8"))["nudge"]}
    worth = 0
    for run, step, reason, message in drawn:
        verdict = judged.get((run, step))
        worth += bool(verdict and verdict["worth"])
        word = "not judged" if verdict is None else ("worth saying: " if verdict["worth"] else "not: ") + verdict["why"]
        print(f"{run}, {step}, {reason}: {message}\n    {word}")
    known = sum((run, step) in judged for run, step, *_ in drawn)
    print(f"{len(drawn)} of {len(said)} nudges drawn, {known} read by hand, {worth} of them worth saying")


if __name__ == "__main__":
    main()
