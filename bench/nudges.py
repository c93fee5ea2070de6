"""Nudges drawn at random from recorded runs, to be read by hand: would a careful engineer have said this?

    python bench/nudges.py RUNS.jsonl.gz [MORE.jsonl.gz ...] [--count 50] [--seed 0] [--markdown docs/accuracy.md]

Each line has the run, the step, the reason and the message. What reading made of the sample stands in
`nudges_by_hand.toml`, by run and step; with it, the script prints how many were judged worth saying.
"""

import argparse
import random
import tomllib
from pathlib import Path
from typing import Any

from accuracy import Run, packed
from page_part import put

from headway.core.decision import Action
from headway.monitor import Monitor
from headway.study.judged import ENDS

TITLE = "## Worth saying?"
INTRODUCTION = """{drawn} of the {said} nudges were drawn at random (`bench/nudges.py`) and read together with the steps
before them: would a careful engineer have said this? **{worth} of {known}** were worth saying. There was one reader,
who had tuned the rules; the verdicts stand in `bench/nudges_by_hand.toml`."""
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
    parser.add_argument("--markdown", type=Path, help="put the verdicts into this page")
    given = parser.parse_args()
    said = [one for path in given.runs for run in packed(path) for one in nudges(run)]
    drawn = sorted(random.Random(given.seed).sample(said, min(given.count, len(said))))
    judged = {(one["run"], one["step"]): one for one in tomllib.loads(BY_HAND.read_text("utf-8"))["nudge"]}
    rows = [(*one, judged.get(one[:2])) for one in drawn]
    for run, step, reason, message, verdict in rows:
        print(f"{run}, {step}, {reason}: {message}\n    {_word(verdict)}: {verdict['why'] if verdict else ''}")
    known = [verdict for *_, verdict in rows if verdict]
    worth = sum(verdict["worth"] for verdict in known)
    print(f"{len(drawn)} of {len(said)} nudges drawn, {len(known)} read by hand, {worth} of them worth saying")
    if given.markdown:
        head = f"| run, step | detector | worth saying? | why |\n{'|---' * 4}|"
        table = (
            f"| {run}, {step} | `{reason}` | {_word(v)} | {v['why'] if v else ''} |" for run, step, reason, _, v in rows
        )
        text = INTRODUCTION.format(drawn=len(drawn), said=len(said), known=len(known), worth=worth)
        put(given.markdown, TITLE, "\n".join([text, "", head, *table]), before="## Said, and true?")


def _word(verdict: dict[str, Any] | None) -> str:
    return "not read" if verdict is None else "yes" if verdict["worth"] else "no"


if __name__ == "__main__":
    main()
