"""Nudges drawn at random from recorded runs, to be read by hand: would a careful engineer have said this?

    python bench/nudges.py RUNS.jsonl.gz [MORE.jsonl.gz ...] [--count 50] [--markdown docs/accuracy.md]

The draw takes the nudges with the smallest hash of run, step and detector. It is as good as random, and it is stable:
a change of the rules that adds or removes a few nudges keeps nearly all of the others in the draw. Each line has the
run, the step, the detector and the message. The judgements of a reader are in `nudges_by_hand.toml`, by run, step and
detector; with them, the script prints how many nudges were worth saying.
"""

import argparse
import hashlib
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from accuracy import Run, packed
from page_part import put

from headway.core.decision import Action
from headway.monitor import Monitor
from headway.study.judged import ENDS

TITLE = "## Are the nudges justified?"
INTRODUCTION = """{drawn} of the {said} nudges were drawn (`bench/nudges.py`): those with the smallest hash of run, step
and detector, so that a small change of the rules keeps nearly all of the draw. Each was read in its run, with the steps
before and after it: would a careful engineer have said this? **{worth} of {known}** were worth saying. There was one
reader, who had not written the rules; the judgements are in `bench/nudges_by_hand.toml`."""
BY_HAND = Path(__file__).parent / "nudges_by_hand.toml"


class Nudge(NamedTuple):
    """What was said, and where."""

    run: str
    step: int
    detector: str
    message: str

    @property
    def key(self) -> tuple[str, int, str]:
        return self.run, self.step, self.detector

    @property
    def lot(self) -> bytes:
        """The order of the draw: it depends on this nudge alone, not on how many others there are."""
        return hashlib.sha256("\n".join(map(str, self.key)).encode()).digest()


def nudges(run: Run) -> list[Nudge]:
    """Everything that is said before the first stop."""
    monitor, said = Monitor(model=run.model or None), []
    for step, event in zip(run.steps, run.events, strict=True):
        decision = monitor.feed(event).decision
        if decision.action in ENDS:
            break
        if decision.action is Action.NUDGE:
            said.append(Nudge(run.run, step, decision.reason, decision.message))
    return said


def draw(said: list[Nudge], count: int) -> list[Nudge]:
    """As many as asked for, those with the smallest hash, in the order of the runs."""
    return sorted(sorted(said, key=lambda one: one.lot)[:count])


def main() -> None:
    """Draw, print, and count what was judged."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--markdown", type=Path, help="put the judgements into this page")
    given = parser.parse_args()
    said = [one for path in given.runs for run in packed(path) for one in nudges(run)]
    drawn = draw(said, given.count)
    judgements = tomllib.loads(BY_HAND.read_text("utf-8"))["nudge"]
    by_nudge = {(one["run"], one["step"], one["detector"]): one for one in judgements}
    rows = [(one, by_nudge.get(one.key)) for one in drawn]
    for one, judgement in rows:
        print(f"{one.run}, {one.step}, {one.detector}: {one.message}\n    {_word(judgement)}: {_why(judgement)}")
    known = [judgement for _, judgement in rows if judgement]
    worth = sum(judgement["worth"] for judgement in known)
    print(f"{len(drawn)} of {len(said)} nudges drawn, {len(known)} read by hand, {worth} of them worth saying")
    if given.markdown:
        head = f"| run, step | detector | worth saying? | why |\n{'|---' * 4}|"
        table = (f"| {one.run}, {one.step} | `{one.detector}` | {_word(j)} | {_why(j)} |" for one, j in rows)
        text = INTRODUCTION.format(drawn=len(drawn), said=len(said), known=len(known), worth=worth)
        put(given.markdown, TITLE, "\n".join([text, "", head, *table]), before="## Are the messages true?")


def _word(judgement: dict[str, Any] | None) -> str:
    return "not read" if judgement is None else "yes" if judgement["worth"] else "no"


def _why(judgement: dict[str, Any] | None) -> str:
    return judgement["why"] if judgement else ""


if __name__ == "__main__":
    main()
